import { parseJson, type Reader } from '../old/read.ts';

/** What the server put into this document for its script; undefined when it is not what the script expects. */
export function readPageData<Data>(read: Reader<Data>): Data | undefined {
  return read(parseJson(document.getElementById('page-data')?.textContent ?? ''));
}
