import { useEffect } from 'react';
import { formatCount } from '../../metrics/format';
import { listGallery, openFromGallery, useGallery } from './gallery';

/** Finished notebooks that come with the page, each with its recorded results. */
export function GalleryList() {
  const { entries, issues, isOpening } = useGallery();
  useEffect(() => {
    // What is wrong with the list stands in the store.
    void listGallery();
  }, []);
  return (
    <section className="gallery" aria-labelledby="gallery-title">
      <h2 id="gallery-title">Gallery</h2>
      {issues.map(({ path, message }) => (
        <p key={path} className="muted small">
          <code>{path}</code> {message}
        </p>
      ))}
      <ul>
        {entries?.map((entry) => (
          <li key={entry.id}>
            <button
              type="button"
              className="gallery-entry"
              disabled={isOpening !== null}
              onClick={() => {
                // What is wrong with the file is shown in a panel of its own.
                void openFromGallery(entry);
              }}
            >
              <strong>{entry.title}</strong>
              <span className="muted">{entry.summary}</span>
              <span className="muted small">
                {isOpening === entry.id ? 'being fetched …' : `${formatCount(entry.numBytes)}B`}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
