import { generateKeyPairSync } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writePrivateFile } from '../process/private-file.ts'

export type KeyPair = { privateKey: string; publicKey: string }

/** `jwt` signs tokens of clients, `internal` those of calls between services. */
export type Keys = { jwt: KeyPair; internal: KeyPair }

/** The key pairs of a system (P-256, PEM), created at the first call and stored in the folder. */
export function loadKeys(folder: string): Keys {
  return { jwt: loadKeyPair(folder, 'jwt'), internal: loadKeyPair(folder, 'internal') }
}

/** The file of a private key. */
export function privateKeyFile(folder: string, name: keyof Keys): string {
  return join(folder, `${name}.private.pem`)
}

function loadKeyPair(folder: string, name: keyof Keys): KeyPair {
  const privatePath = privateKeyFile(folder, name)
  const publicPath = join(folder, `${name}.public.pem`)
  if (!existsSync(privatePath) || !existsSync(publicPath)) {
    const pair = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    })
    writePrivateFile(privatePath, pair.privateKey)
    writePrivateFile(publicPath, pair.publicKey)
  }
  return { privateKey: readFileSync(privatePath, 'utf8'), publicKey: readFileSync(publicPath, 'utf8') }
}
