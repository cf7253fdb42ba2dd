import { createPrivateKey, X509Certificate } from 'node:crypto'
import { rootCertificates } from 'node:tls'
import { z } from 'zod'

/**
 * TLS settings of a client: trusted authorities and its own certificate, as PEM texts; empty means the public
 * authorities.
 */
export interface ClientTls {
  /** Authorities; no others are trusted. */
  readonly ca?: string | string[]
  readonly cert?: string
  readonly key?: string
}

/** A server's certificate and key, as PEM texts. */
export interface ServerTls {
  readonly cert: string
  readonly key: string
}

/** `\n` may be written for line breaks. */
const pem = (isOne: (text: string) => boolean, what: string) =>
  z
    .string()
    .default('')
    .transform((value) => value.replaceAll('\\n', '\n'))
    .refine((value) => value === '' || isOne(value), `is not ${what}`)

/** Variables of every program that connects to servers. */
export const tlsVariables = {
  TLS_CA: pem(areCertificates, 'a certificate, nor several after one another (PEM)').describe(
    'Authorities (PEM, one after another) that sign the certificates of PostgreSQL, Redis, RabbitMQ and the other services: no others are trusted there. For mail and S3 they are trusted in addition to the public ones. Absent: the public ones.',
  ),
  TLS_CERTIFICATE: pem(areCertificates, 'a certificate, nor several after one another (PEM)')
    .describe(
      'Certificate for servers that ask for a client certificate, and for clients with SERVE_TLS (PEM, with the intermediate ones).',
    )
    .meta({ needs: ['TLS_KEY'] }),
  TLS_KEY: pem(isKey, 'a private key (PEM)')
    .describe('The key of TLS_CERTIFICATE (PEM).')
    .meta({ needs: ['TLS_CERTIFICATE'] }),
  SERVE_TLS: z
    .stringbool()
    .default(false)
    .describe('Serve only TLS, with TLS_CERTIFICATE; the service URL then begins with https.')
    .meta({ needs: ['TLS_CERTIFICATE', 'TLS_KEY'] }),
} as const
export type TlsVariables = z.output<z.ZodObject<typeof tlsVariables>>

/** TLS settings for connections to servers. */
export function clientTlsOf(config: Omit<TlsVariables, 'SERVE_TLS'>): ClientTls {
  const { TLS_CA, TLS_CERTIFICATE: cert, TLS_KEY: key } = config
  return { ...(TLS_CA !== '' && { ca: certificatesIn(TLS_CA) }), ...(cert !== '' && { cert, key }) }
}

/** TLS settings of the service's own server; null if it serves plain HTTP. */
export function serverTlsOf({
  SERVE_TLS,
  TLS_CERTIFICATE: cert,
  TLS_KEY: key,
}: TlsVariables): ServerTls | null {
  return SERVE_TLS ? { cert, key } : null
}

/** When the first of these certificates (PEM) expires, in seconds of Unix time. */
export function expiryOf(certificates: string): number {
  const ends = certificatesIn(certificates).map((text) => Date.parse(new X509Certificate(text).validTo))
  return Math.min(...ends) / 1000
}

/** The same settings with the public authorities added, for servers that usually belong to others. */
export function withPublicAuthorities({ ca, ...own }: ClientTls): ClientTls {
  return ca === undefined ? own : { ...own, ca: [...rootCertificates, ...[ca].flat()] }
}

function certificatesIn(text: string): string[] {
  return text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
}

function areCertificates(text: string): boolean {
  try {
    const found = certificatesIn(text).map((certificate) => new X509Certificate(certificate))
    return found.length > 0
  } catch {
    return false
  }
}

function isKey(text: string): boolean {
  try {
    return createPrivateKey(text).type === 'private'
  } catch {
    return false
  }
}
