import { createPrivateKey, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { rootCertificates } from 'node:tls'
import { z } from 'zod'

/** How servers are known, and what they know us by; empty where the authorities are the public ones. PEM texts. */
export interface ClientTls {
  /** Authorities, besides whom none is trusted. */
  readonly ca?: string | string[]
  readonly cert?: string
  readonly key?: string
}

/** What a server shows. PEM texts. */
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

/** Variables of everything that connects to servers. */
export const tlsVariables = {
  TLS_CA: pem(areCertificates, 'a certificate, nor several after one another (PEM)').describe(
    'Authorities (PEM, one after another) that sign the certificates of PostgreSQL, Redis, RabbitMQ and the other services: no others are trusted there, and by mail and S3 besides the public ones. Absent: the public ones.',
  ),
  TLS_CERTIFICATE: pem(areCertificates, 'a certificate, nor several after one another (PEM)')
    .describe(
      'Shown to servers that ask who connects, and to clients with SERVE_TLS (PEM, with those between it and its authority).',
    )
    .meta({ needs: ['TLS_KEY'] }),
  TLS_KEY: pem(isKey, 'a private key (PEM)')
    .describe('The key of TLS_CERTIFICATE (PEM).')
    .meta({ needs: ['TLS_CERTIFICATE'] }),
  SERVE_TLS: z
    .stringbool()
    .default(false)
    .describe('Answer over TLS alone, with TLS_CERTIFICATE; its URL then begins with https.')
    .meta({ needs: ['TLS_CERTIFICATE', 'TLS_KEY'] }),
} as const
export type TlsVariables = z.output<z.ZodObject<typeof tlsVariables>>

/** What the variables make of connections to servers. */
export function clientTlsOf(config: Omit<TlsVariables, 'SERVE_TLS'>): ClientTls {
  const { TLS_CA, TLS_CERTIFICATE: cert, TLS_KEY: key } = config
  return { ...(TLS_CA !== '' && { ca: certificatesIn(TLS_CA) }), ...(cert !== '' && { cert, key }) }
}

/** What a service answers with; null where it answers in the clear. */
export function serverTlsOf({
  SERVE_TLS,
  TLS_CERTIFICATE: cert,
  TLS_KEY: key,
}: TlsVariables): ServerTls | null {
  return SERVE_TLS ? { cert, key } : null
}

/** When the first of these certificates (PEM) is valid no more, in seconds of Unix time. */
export function expiryOf(certificates: string): number {
  const ends = certificatesIn(certificates).map((text) => Date.parse(new X509Certificate(text).validTo))
  return Math.min(...ends) / 1000
}

/** The same for servers that are mostly other people's: the public authorities are trusted too. */
export function withPublicAuthorities({ ca, ...own }: ClientTls): ClientTls {
  return ca === undefined ? own : { ...own, ca: [...rootCertificates, ...[ca].flat()] }
}

/** The name by which a server that has several certificates is asked for its own; of an address there is none. */
export function servernameOf(hostname: string): { servername?: string } {
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? { servername: hostname } : {}
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
