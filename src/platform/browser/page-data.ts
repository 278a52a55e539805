let data: unknown;

/** The data in this document. Unchecked: document and script come from one build. */
export function readPageData<Data>(): Data {
  data ??= JSON.parse(document.getElementById('page-data')?.textContent ?? '');
  return data as Data;
}
