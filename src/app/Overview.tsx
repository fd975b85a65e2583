import { valueAt } from '../config/formFields';
import { presets } from '../config/presets';
import { useSpec } from './specStore';
import { TeamGraph } from './team/TeamGraph';

/** What this experiment shows, in one paragraph, beside the team it is about. */
export function Overview() {
  const title = useSpec((state) => String(valueAt(state.draft, 'title')));
  const presetId = useSpec((state) => state.presetId);
  return (
    <section className="overview" aria-labelledby="experiment-title">
      <div className="overview-text">
        <h1 id="experiment-title">{title === '' ? 'Untitled experiment' : title}</h1>
        <p>{presets[presetId].description}</p>
      </div>
      <TeamGraph />
    </section>
  );
}
