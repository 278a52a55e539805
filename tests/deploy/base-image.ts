/** The image that the Dockerfile begins with, made from Debian's packages where no registry can be reached. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const NAME = 'docker.io/library/node:24-trixie-slim';
const MIRROR = 'http://deb.debian.org/debian';
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

/** Pulls the base, or makes it: Debian's smallest system with this machine's Node and npm. */
export function provideBaseImage(): void {
  if (succeeds('buildah', ['pull', '--quiet', NAME])) return;
  const root = mkdtempSync(join(tmpdir(), 'site-base-'));
  try {
    run('debootstrap', ['--variant=minbase', 'trixie', root, MIRROR]);
    for (const part of ['doc', 'man', 'locale', 'info'])
      rmSync(join(root, 'usr/share', part), { recursive: true });
    // As the official image does it: what apt has downloaded stays in no layer.
    writeFileSync(
      join(root, 'etc/apt/apt.conf.d/docker-clean'),
      'DPkg::Post-Invoke { "rm -f /var/cache/apt/archives/*.deb /var/cache/apt/*.bin || true"; };\n' +
        'Dir::Cache::pkgcache ""; Dir::Cache::srcpkgcache "";\n',
    );
    run('chroot', [root, 'apt-get', 'clean']);
    rmSync(join(root, 'var/lib/apt/lists'), { recursive: true });
    const local = join(root, 'usr/local');
    cpSync(process.execPath, join(local, 'bin/node'), { dereference: true });
    // Where the npm that runs this stands: …/npm/bin/npm-cli.js.
    const npm = dirname(dirname(process.env.npm_execpath ?? ''));
    cpSync(npm, join(local, 'lib/node_modules/npm'), { recursive: true });
    run('ln', ['-s', '../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm')]);
    // A registry behind a proxy of the company: the machine's own certificates count inside too.
    if (existsSync(CERTIFICATES)) {
      run('mkdir', ['-p', join(root, dirname(CERTIFICATES)), join(local, 'etc')]);
      cpSync(CERTIFICATES, join(root, CERTIFICATES), { dereference: true });
      writeFileSync(join(local, 'etc/npmrc'), `cafile=${CERTIFICATES}\n`);
    }
    run('chroot', [root, 'useradd', '--uid', '1000', '--create-home', 'node']);
    run('sh', ['-c', `tar -C ${root} -c . | podman import --quiet - ${NAME}`]);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function run(program: string, args: readonly string[]): void {
  execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
}

function succeeds(program: string, args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
