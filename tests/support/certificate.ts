import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './temporary-folder.ts';

export const CERTIFICATE_DAYS = 30;

/** A self-signed certificate with its key in one file, for clients' NODE_EXTRA_CA_CERTS. */
export function makeCertificate(names = 'DNS:localhost') {
  const file = join(temporaryFolder(), 'certificate.pem');
  const options = [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'],
    ...['-subj', '/CN=test', '-addext', `subjectAltName=${names}`],
    ...['-days', String(CERTIFICATE_DAYS), '-keyout', '-', '-out', '-'],
  ];
  const pem = execFileSync('openssl', options, { stdio: 'pipe' });
  writeFileSync(file, pem);
  return { file, key: pem, cert: pem };
}
