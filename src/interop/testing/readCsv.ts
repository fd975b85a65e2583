/** A field (in quotes, or without any), and the comma or line end after it. */
const fieldPattern = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;

/** RFC 4180, written apart from the writers: records of fields. Throws on anything that is not such a file. */
export function readCsv(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  fieldPattern.lastIndex = 0;
  for (let at = 0; at < text.length; at = fieldPattern.lastIndex) {
    const match = fieldPattern.exec(text);
    if (match === null) throw new Error(`No field of RFC 4180 at character ${at}.`);
    record.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === ',') continue;
    records.push(record);
    record = [];
  }
  if (record.length > 0) throw new Error('The last record does not end.');
  return records;
}
