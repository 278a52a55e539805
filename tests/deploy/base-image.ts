/** The Dockerfile's base image, built from Debian's packages where no registry can be reached. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const NAME = 'docker.io/library/node:24-trixie-slim';
const MIRROR = 'http://deb.debian.org/debian';
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

/** Pulls the base image, or builds it: a minimal Debian with this machine's Node and npm. */
export function provideBaseImage(): void {
  if (spawnSync('buildah', ['pull', '--quiet', NAME]).status === 0) return;
  const container = run('buildah', 'from', 'scratch');
  const root = run('buildah', 'mount', container);
  run('debootstrap', '--variant=minbase', 'trixie', root, MIRROR);
  for (const part of ['doc', 'man', 'locale', 'info'])
    rmSync(join(root, 'usr/share', part), { recursive: true });
  // As in the official image: no layer keeps apt's downloads.
  writeFileSync(
    join(root, 'etc/apt/apt.conf.d/docker-clean'),
    'DPkg::Post-Invoke { "rm -f /var/cache/apt/archives/*.deb /var/cache/apt/*.bin || true"; };\n' +
      'Dir::Cache::pkgcache ""; Dir::Cache::srcpkgcache "";\n',
  );
  run('chroot', root, 'apt-get', 'clean');
  rmSync(join(root, 'var/lib/apt/lists'), { recursive: true });
  const local = join(root, 'usr/local');
  cpSync(process.execPath, join(local, 'bin/node'), { dereference: true });
  // npm_execpath is …/npm/bin/npm-cli.js.
  const npm = dirname(dirname(process.env.npm_execpath ?? ''));
  cpSync(npm, join(local, 'lib/node_modules/npm'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'));
  // Behind a corporate proxy the registry's certificate is one of the machine's own.
  if (existsSync(CERTIFICATES)) {
    mkdirSync(join(root, dirname(CERTIFICATES)), { recursive: true });
    cpSync(CERTIFICATES, join(root, CERTIFICATES), { dereference: true });
    mkdirSync(join(local, 'etc'), { recursive: true });
    writeFileSync(join(local, 'etc/npmrc'), `cafile=${CERTIFICATES}\n`);
  }
  run('chroot', root, 'useradd', '--uid', '1000', '--create-home', 'node');
  run('buildah', 'commit', '--quiet', '--rm', container, NAME);
}

/** Returns the program's output; throws with stderr if it fails. */
export function run(program: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 1e8 });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
  return stdout.trim();
}
