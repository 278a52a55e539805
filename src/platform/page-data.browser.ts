/** What the server put into this document for its script. */
export function readPageData<Data>(): Data {
  const text = document.getElementById('page-data')?.textContent;
  if (!text) throw new Error('the document holds no page data');
  return JSON.parse(text);
}
