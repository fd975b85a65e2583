import { useId } from 'react';
import { valueAt } from '../config/formFields';
import { presets } from '../config/presets';
import { useDesk } from './desks';
import { usePresent } from './document/documentStore';
import { useSpec } from './specStore';
import { TeamGraph } from './team/TeamGraph';

/** What this experiment shows, in one paragraph, beside the team it is about. */
export function Overview() {
  const id = useId();
  const title = useSpec((state) => String(valueAt(state.draft, 'title')));
  const presetId = useSpec((state) => state.presetId);
  const isHead = useIsHead();
  const Heading = isHead ? 'h1' : 'h2';
  return (
    <section className="overview" aria-labelledby={id}>
      <div className="overview-text">
        <Heading id={id}>{title === '' ? 'Untitled experiment' : title}</Heading>
        <p>{presets[presetId].description}</p>
      </div>
      <TeamGraph />
    </section>
  );
}

/** A notebook without a title of its own is called as its first experiment. */
function useIsHead(): boolean {
  const { title, cells } = usePresent();
  const { id } = useDesk();
  return title === '' && cells.find(({ kind }) => kind === 'experiment')?.id === id;
}
