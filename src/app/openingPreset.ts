import type { PresetId } from '../config/presets';

/** What a new experiment begins as. */
export const openingPresetId: PresetId = 'route-search-answer-weak';
