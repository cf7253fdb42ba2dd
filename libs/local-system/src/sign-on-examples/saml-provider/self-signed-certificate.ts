import { generateKeyPairSync, sign } from 'node:crypto'

export type CertifiedKey = {
  /** PEM, also below. */
  privateKey: string
  certificate: string
}

const VALID_YEARS = 10
const [INTEGER, BITS, NULL, OID, UTF8, TIME, SEQUENCE, SET, VERSION] = [2, 3, 5, 6, 12, 24, 48, 49, 160]
const SHA256_WITH_RSA = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0b]
const COMMON_NAME = [0x55, 0x04, 0x03]
const VERSION_3 = 2

/** A new RSA key with an X.509 certificate that it signed itself, as SAML's metadata has them. */
export function createSelfSignedCertificate(name: string, now: Date): CertifiedKey {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  const algorithm = der(SEQUENCE, der(OID, SHA256_WITH_RSA), der(NULL))
  const subject = der(SEQUENCE, der(SET, der(SEQUENCE, der(OID, COMMON_NAME), der(UTF8, Buffer.from(name)))))
  const end = new Date(now)
  end.setUTCFullYear(end.getUTCFullYear() + VALID_YEARS)
  const content = der(
    SEQUENCE,
    der(VERSION, der(INTEGER, [VERSION_3])),
    der(INTEGER, [1]),
    algorithm,
    subject,
    der(SEQUENCE, timeOf(now), timeOf(end)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = sign('sha256', content, privateKey)
  const certificate = der(SEQUENCE, content, algorithm, der(BITS, [0], signature))
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? []
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
  }
}

const timeOf = (time: Date): Buffer =>
  der(TIME, Buffer.from(`${time.toISOString().replace(/[-:T]|\..*/g, '')}Z`))

/** A value of ASN.1 in DER: tag, length, content. */
function der(tag: number, ...parts: readonly (Buffer | readonly number[])[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part as number[])))
  const { length } = content
  const prefix = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...prefix]), content])
}
