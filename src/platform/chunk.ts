/** So many values fit into one query on either database, and are dealt with before others have waited long. */
const CHUNK_SIZE = 500;

export function* chunk<Value>(values: readonly Value[], size = CHUNK_SIZE): Generator<Value[]> {
  for (let start = 0; start < values.length; start += size) yield values.slice(start, start + size);
}
