/** One built file: its kind, its bytes in each encoding, and how it is sent. */
import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Encoding } from '../http/finished/encoding.server.ts';
import { FinishedAnswer } from '../http/finished/finished-answer.server.ts';

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
  '.avif': 'image/avif',
  '.webp': 'image/webp',
  '.jpg': 'image/jpeg',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
};

/** The content type of a file by its name; undefined for kinds that the site does not serve. */
export function contentType(file: string): string | undefined {
  return TYPES[extname(file).toLowerCase()];
}

export type BuiltFile = ReturnType<typeof readBuiltFile>;

export function readBuiltFile(folder: string, name: string) {
  const read = (file: string) => (existsSync(file) ? readFileSync(file) : undefined);
  const path = join(folder, name);
  const bodies: Partial<Record<Encoding, Buffer<ArrayBuffer> | undefined>> = {
    br: read(`${path}.br`),
    gzip: read(`${path}.gz`),
    identity: readFileSync(path),
  };
  return { type: contentType(name) ?? 'application/octet-stream', bodies };
}

/** A built file as it is sent, with the headers of all of them. */
export function finishedAsset(
  { type, bodies }: BuiltFile,
  headers: Readonly<Record<string, string>>,
): FinishedAnswer {
  return new FinishedAnswer({
    headers: { ...headers, 'Content-Type': type, ...(bodies.br && { Vary: 'Accept-Encoding' }) },
    body: (encoding) => bodies[encoding],
  });
}
