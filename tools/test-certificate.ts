import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A key, and a certificate of this machine that is its own authority. */
export interface TestCertificate {
  readonly key: string;
  readonly cert: string;
}

/** Makes one with the program openssl, valid for a day. */
export function testCertificate(): TestCertificate {
  const folder = mkdtempSync(join(tmpdir(), 'turnwire-certificate-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  try {
    // A key on a curve is made at once, and costs less at each handshake than one of RSA.
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
    const words = ['req', '-x509', ...kind, '-nodes', '-days', '1', '-subj', '/CN=localhost'];
    const names = 'subjectAltName=DNS:localhost,IP:127.0.0.1';
    execFileSync('openssl', [...words, '-addext', names, '-keyout', key, '-out', cert], { stdio: 'pipe' });
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
