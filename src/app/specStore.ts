import { useStore } from 'zustand';
import { applyToForm, currentDesk, useDesk } from './desks';
import type { SpecEvent, SpecState } from './specState';

/** The form of the experiment that this part of the page speaks of. */
export function useSpec<T>(selector: (form: SpecState) => T): T {
  return useStore(useDesk().form, selector);
}

/** Changes the form on the page. */
export function applyToSpec(event: SpecEvent): void {
  applyToForm(currentDesk(), event);
}
