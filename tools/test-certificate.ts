import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A private key and a self-signed certificate for this machine. */
export interface TestCertificate {
  readonly key: string;
  readonly cert: string;
}

/** Creates a certificate with the program openssl, valid for a day. */
export function testCertificate(): TestCertificate {
  const folder = mkdtempSync(join(tmpdir(), 'turnwire-certificate-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  try {
    // An elliptic-curve key is created faster than an RSA key, and needs less time at each handshake.
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
    const args = ['req', '-x509', ...kind, '-nodes', '-days', '1', '-subj', '/CN=localhost'];
    const names = 'subjectAltName=DNS:localhost,IP:127.0.0.1';
    execFileSync('openssl', [...args, '-addext', names, '-keyout', key, '-out', cert], { stdio: 'pipe' });
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
