/** What a call to a policy or critic rejects with when its device is gone: its last checkpoint can still be restored. */

const deviceLost = 'DeviceLostError';

/** An Error that keeps its kind on the way through a message port. */
export function deviceLostError(reason: string): Error {
  const error = new Error(reason);
  error.name = deviceLost;
  return error;
}

export function isDeviceLost(error: unknown): error is Error {
  return error instanceof Error && error.name === deviceLost;
}
