/** The encodings of finished bodies. */
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib';
import { memoize } from '../../memoize.ts';

export type Encoding = 'br' | 'zstd' | 'gzip' | 'identity';

export const COMPRESS: Record<Encoding, (bytes: Buffer<ArrayBuffer>) => Buffer<ArrayBuffer>> = {
  br: (bytes) =>
    brotliCompressSync(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 9,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  zstd: (bytes) => zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 15 } }),
  gzip: (bytes) => gzipSync(bytes, { level: 9 }),
  identity: (bytes) => bytes,
};

/** The smallest first. */
const BY_SIZE = ['br', 'zstd', 'gzip'] as const;

/** What an Accept-Encoding admits, the best first. Browsers send one of a few such headers. */
export const admitted: (accept: string) => readonly Encoding[] = memoize((accept) => [
  ...BY_SIZE.filter((encoding) => admits(accept, encoding)),
  'identity',
]);

function admits(accept: string, encoding: string): boolean {
  return accept.split(',').some((each) => {
    const [name, ...parameters] = each.split(';').map((part) => part.trim());
    return name === encoding && !parameters.some((part) => /^q=0(\.0*)?$/.test(part));
  });
}
