import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** An authority for the time of a test, and a certificate for this machine that it signed. */
export interface TestAuthority {
  /** The variables of services that name the files. */
  readonly variables: Readonly<Record<'TLS_CA_FILE' | 'TLS_CERTIFICATE_FILE' | 'TLS_KEY_FILE', string>>
  remove(): void
}

/** Creates an authority and a certificate for servers and clients, by openssl. */
export function createTestAuthority(name: string): TestAuthority {
  const folder = mkdtempSync(join(tmpdir(), 'tms-test-authority-'))
  const file = (base: string) => join(folder, base)
  const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  openssl(['req', '-x509', ...ec, '-days', '2', '-subj', `/CN=${name}`], {
    '-keyout': file('ca.key'),
    '-out': file('ca.pem'),
  })
  openssl(['req', ...ec, '-subj', '/CN=localhost'], { '-keyout': file('own.key'), '-out': file('own.csr') })
  writeFileSync(
    file('own.ext'),
    'subjectAltName=DNS:localhost,IP:127.0.0.1\nextendedKeyUsage=serverAuth,clientAuth\n',
  )
  openssl(['x509', '-req', '-days', '2', '-CAcreateserial'], {
    '-in': file('own.csr'),
    '-CA': file('ca.pem'),
    '-CAkey': file('ca.key'),
    '-extfile': file('own.ext'),
    '-out': file('own.pem'),
  })
  return {
    variables: {
      TLS_CA_FILE: file('ca.pem'),
      TLS_CERTIFICATE_FILE: file('own.pem'),
      TLS_KEY_FILE: file('own.key'),
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function openssl(command: readonly string[], files: Readonly<Record<string, string>>): void {
  const { status, error, stderr } = spawnSync('openssl', [...command, ...Object.entries(files).flat()], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`openssl ${command[0]} failed: ${error?.message ?? stderr}`)
}
