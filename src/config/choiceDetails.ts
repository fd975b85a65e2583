import { diagnosticsDetails } from './diagnosticsDetails';
import { estimatorDetails } from './estimatorDetails';
import type { DetailsTable } from './field';
import { lossDetails } from './lossDetails';
import { scheduleDetails } from './scheduleDetails';

/**
 * Formula and source of every option of every choice of methods, by the key of the field table. Apart from that table, which the
 * page needs to start: these are read when someone asks.
 */
export const choiceDetails: DetailsTable = {
  ...estimatorDetails,
  ...lossDetails,
  ...scheduleDetails,
  ...diagnosticsDetails,
};
