import { readFileSync } from 'node:fs'

/**
 * TLS settings of a client, as PEM texts: trusted authorities and its own certificate. Empty means the public
 * authorities.
 */
export type Tls = { readonly ca?: string | string[]; readonly cert?: string; readonly key?: string }

/** The files of a certificate, and of the trusted authority. */
export type TlsFiles = { readonly ca: string; readonly certificate: string; readonly key: string }

/**
 * TLS settings for connections to servers, from the variables of services (`TLS_CA_FILE`, `TLS_CERTIFICATE_FILE`,
 * `TLS_KEY_FILE`).
 */
export function tlsOf(env: NodeJS.ProcessEnv): Tls {
  const read = (name: string) => {
    const path = env[`${name}_FILE`]
    return path ? readFileSync(path, 'utf8') : env[name]?.replaceAll('\\n', '\n') || undefined
  }
  const [ca, cert, key] = ['TLS_CA', 'TLS_CERTIFICATE', 'TLS_KEY'].map(read)
  return {
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && key !== undefined && { cert, key }),
  }
}

/** The files that those variables name. Throws if one is missing, since servers need all of them. */
export function tlsFilesOf(env: NodeJS.ProcessEnv): TlsFiles {
  const pathIn = (name: string) => {
    const path = env[name]
    if (!path) throw new Error(`${name} is needed for servers that accept TLS alone`)
    return path
  }
  return {
    ca: pathIn('TLS_CA_FILE'),
    certificate: pathIn('TLS_CERTIFICATE_FILE'),
    key: pathIn('TLS_KEY_FILE'),
  }
}
