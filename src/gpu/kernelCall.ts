/** One dispatch as data: what to run, on which buffers, how often. Kernels are functions from shapes and buffers to these. */
export interface KernelCall {
  /** For error messages and timings. */
  readonly label: string;
  /** WGSL with the entry point `main` and buffers at @group(0), @binding(0) to @binding(n − 1). */
  readonly source: string;
  /** Values of its pipeline-overridable constants: what a pipeline is compiled for, so nothing that changes with the batch. */
  readonly constants: Readonly<Record<string, number>>;
  /** u32 fields of its `var<uniform>` struct, bound after the last buffer: sizes and offsets that may change from call to call. */
  readonly uniforms?: readonly number[];
  /** In the order of their bindings. */
  readonly buffers: readonly GPUBuffer[];
  readonly workgroups: readonly [number, number, number];
}

/** Workgroups that cover `count` items, `size` of them in one. */
export function groupsFor(count: number, size: number): number {
  return Math.ceil(count / size);
}
