import { generateKeyPairSync } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writePrivateFile } from '../process/private-file.ts'

export type KeyPair = { privateKey: string; publicKey: string }

/** `jwt` signs who a client is, `internal` signs requests between services. */
export type Keys = { jwt: KeyPair; internal: KeyPair }

/** The key pairs of a system (P-256, PEM), made at the first call and kept in the folder. */
export function loadKeys(folder: string): Keys {
  return { jwt: loadKeyPair(folder, 'jwt'), internal: loadKeyPair(folder, 'internal') }
}

/** Where the private key of a pair is kept. */
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
