/**
 * What the page may load and run: nothing but the files of its own site. One text for the built page, which carries it to any
 * static host, and for the local server, whose headers also bind the workers.
 */

/** @type {Readonly<Record<string, string>>} */
const directives = {
  'default-src': "'none'",
  // The wasm backend compiles its binary in a worker; no text is ever evaluated as a script.
  'script-src': "'self' 'wasm-unsafe-eval'",
  'worker-src': "'self'",
  'connect-src': "'self'",
  'style-src': "'self'",
  // KaTeX places the parts of a formula by `style` attributes. Style elements stay forbidden.
  'style-src-attr': "'unsafe-inline'",
  // The icon and the figures that are saved as PNG are data addresses.
  'img-src': "'self' data:",
  // A saved figure carries its typeface in itself.
  'font-src': "'self' data:",
  'manifest-src': "'self'",
  'object-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'none'",
};

/** For a `<meta http-equiv="Content-Security-Policy">`. */
export const contentPolicy = Object.entries(directives)
  .map(([name, sources]) => `${name} ${sources}`)
  .join('; ');

/** For the header of that name: a page cannot say in its own text who may frame it. */
export const contentPolicyHeader = `${contentPolicy}; frame-ancestors 'none'`;
