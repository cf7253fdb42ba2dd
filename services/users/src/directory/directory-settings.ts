import type { DirectorySettings, SignOnSettings } from '@tms/contracts'
import { readSecret } from '../kernel/sign-on/read-secret.ts'

type Secret = string | { readonly file: string }

/** A directory's settings with its secrets. */
export type OpenedSettings = Omit<DirectorySettings, 'ca' | 'service_account'> & {
  /** PEM. */
  readonly ca: string | null
  readonly service_account: { readonly dn: string; readonly password: string } | null
}

/** Reads the secrets that are files. Throws if one can't be read, or is empty. */
export function openSettings({ ldap }: SignOnSettings): OpenedSettings[] {
  return (ldap?.directories ?? []).map((directory, index) => {
    const read = (secret: Secret, key: string) => readSecret(secret, `ldap.directories.${index}.${key}`)
    const { ca, service_account: account } = directory
    return {
      ...directory,
      ca: ca === undefined ? null : read(ca, 'ca'),
      service_account: account
        ? { dn: account.dn, password: read(account.password, 'service_account.password') }
        : null,
    }
  })
}
