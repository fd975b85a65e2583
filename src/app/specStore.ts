import { create } from 'zustand';
import type { PresetId } from '../config/presets';
import { applySpecEvent, specStateOf, type SpecEvent, type SpecState } from './specState';

/** What a visitor without a link sees. */
export const openingPresetId: PresetId = 'route-search-answer-weak';

/** The form as the components see it. */
export const useSpec = create<SpecState>(() => specStateOf(openingPresetId));

export function applyToSpec(event: SpecEvent): void {
  useSpec.setState(applySpecEvent(useSpec.getState(), event), true);
}
