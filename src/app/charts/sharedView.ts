import { create } from 'zustand';
import type { ChartView } from './chartView';

/** What all charts of the page have in common, unless one says otherwise. */
export type SharedView = Pick<ChartView, 'smoothing' | 'seedsShown' | 'xAxis'>;

export const useSharedView = create<SharedView>(() => ({
  smoothing: 0,
  seedsShown: 'minMax',
  xAxis: 'iteration',
}));

export function changeSharedView(change: Partial<SharedView>): void {
  useSharedView.setState(change);
}
