import { createPrivateKey, X509Certificate } from 'node:crypto'
import type { SignOnSettings } from '@tms/contracts'
import { readSecret } from '../../kernel/sign-on/read-secret.ts'

/** With which the installation signs requests and decrypts assertions, in PEM. */
export interface OwnKey {
  readonly privateKey: string
  readonly certificate: string
}

/** Null if the settings have none. Throws if it can't be read, or isn't that of its certificate. */
export function openOwnKey({ saml }: Pick<SignOnSettings, 'saml'>): OwnKey | null {
  if (!saml) return null
  const key = asPart('private_key', () => createPrivateKey(readSecret(saml.private_key, 'saml.private_key')))
  const certificate = readCertificate(readSecret(saml.certificate, 'saml.certificate'), 'saml.certificate')
  if (!certificate.checkPrivateKey(key))
    throw new Error('SIGN_ON: saml.private_key is another one than that of saml.certificate')
  return {
    privateKey: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: certificate.toString(),
  }
}

/** A certificate in PEM, or in base64 as metadata has it. Throws if its key isn't RSA of at least 2,048 bits. */
export function readCertificate(text: string, key: string): X509Certificate {
  const isPem = text.includes('-----BEGIN')
  const certificate = parseCertificate(isPem ? text : Buffer.from(text, 'base64'), key)
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = certificate.publicKey
  if (type !== 'rsa' || (details?.modulusLength ?? 0) < 2_048)
    throw new Error(`SIGN_ON: ${key} is not for RSA of at least 2048 bits`)
  return certificate
}

function parseCertificate(bytes: string | Buffer, key: string): X509Certificate {
  try {
    return new X509Certificate(bytes)
  } catch {
    throw new Error(`SIGN_ON: ${key} is no certificate`)
  }
}

function asPart<T>(name: string, read: () => T): T {
  try {
    return read()
  } catch (err) {
    if ((err as Error).message.startsWith('SIGN_ON')) throw err
    // The library's own message could quote a part of the key.
    throw new Error(`SIGN_ON: saml.${name} is no private key`)
  }
}
