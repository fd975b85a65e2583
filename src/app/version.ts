declare const MARLBOOK_VERSION: string;

/** Of this page; the build puts it in. */
export const version = MARLBOOK_VERSION;
