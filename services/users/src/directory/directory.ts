import { AppError, type DirectorySettings, maxPictureBytes } from '@tms/contracts'
import { type ClientTls, createConcurrencyLimit, type LimitConcurrency } from '@tms/service-kit'
import type { Client, Entry } from 'ldapts'
import { fillDn, fillFilter, foldDn, narrowFilter, widenFilter } from './directory-names.rules.ts'
import type { OpenedSettings } from './directory-settings.ts'
import { TOO_MANY_BYTES, withLdapConnection } from './ldap-connection.ts'
import { type DirectoryEntry, listAttributes, type Person, readPerson } from './person.rules.ts'

/** Sign-ins at one directory at once, and those that wait: a directory that hangs keeps nobody longer than some seconds. */
const LIMIT = {
  maxAtOnce: 8,
  maxWaiting: 16,
  refusal: 'Too many are signing in at once; try again shortly',
}
/** Finds out that there is more than one. */
const TWO = 2

/** Entries that a directory sends at once: most send no more. */
const PAGE_SIZE = 500
const PAGE_TIMEOUT_MS = 30_000
/** For the whole list. */
const LIST_TIMEOUT_MS = 600_000

/** An entry with a picture, and what belongs to a connection. */
const MAX_AVATAR_ANSWER_BYTES = maxPictureBytes + 65_536

/** Results by which a directory refuses a password: wrong, none here, no such entry, no such name. */
const REFUSALS: ReadonlySet<number> = new Set([49, 48, 32, 34, 53])

/** How a directory answers to a user name and a password. */
export type Authentication =
  | { readonly kind: 'right'; readonly person: Person }
  /** The name has one entry, and the password isn't its own; or nothing can be said about the name. */
  | { readonly kind: 'wrong' }
  /** No entry has this name. */
  | { readonly kind: 'unknown' }

export interface Directory {
  readonly name: string
  /** The domain of addresses that are made from user names. */
  readonly emailDomain: string | null
  /** Whether it can be searched without somebody's password. */
  readonly canSearch: boolean
  /** How accounts are compared with it; null if they aren't. */
  readonly sync: DirectorySettings['sync'] | null
  /**
   * Verifies a password. `beforeBind` runs before the password is sent, with the name by which attempts are counted: the
   * address of the entry, or where that isn't known yet, the user name in one spelling; what it throws ends this. Throws
   * SERVICE_UNAVAILABLE.
   */
  authenticate(
    name: string,
    password: string,
    beforeBind: (countedName: string) => Promise<void>,
  ): Promise<Authentication>
  /** People with this address. Needs `canSearch`. Throws SERVICE_UNAVAILABLE. */
  findByAddress(email: string): Promise<Person[]>
  /** All people that some user name finds. Needs `canSearch`. Throws SERVICE_UNAVAILABLE if the list is cut short. */
  listPeople(): Promise<Person[]>
  /**
   * The picture of an entry, whatever its bytes are; null if it has none. Null itself if the directory's pictures aren't
   * taken. Throws SERVICE_UNAVAILABLE.
   */
  readonly readAvatar: ((dn: string) => Promise<Buffer | 'unreadable' | null>) | null
  /** The folded DNs of a group's members. Throws SERVICE_UNAVAILABLE, also if there is no such group. */
  listGroupMembers(dn: string): Promise<ReadonlySet<string>>
}

export function createDirectory(settings: OpenedSettings, tls: ClientTls): Directory {
  const { name: directoryName, service_account: serviceAccount, email_domain: emailDomain = null } = settings
  const { avatar } = settings.attributes
  const limit: LimitConcurrency = createConcurrencyLimit(LIMIT)
  const timeoutMs = settings.timeout_seconds * 1_000

  const connected = <T>(work: (client: Client) => Promise<T>): Promise<T> =>
    withLdapConnection(settings, tls, { timeoutMs, lastsMs: timeoutMs }, work)

  const bindToSearch = async (client: Client): Promise<void> => {
    if (!serviceAccount) throw new Error('no account to search with')
    await client.bind(serviceAccount.dn, serviceAccount.password)
  }

  /** `work` as the account that searches. */
  const searching = <T>(work: (client: Client) => Promise<T>): Promise<T> =>
    connected(async (client) => {
      await bindToSearch(client)
      return work(client)
    })

  const search = async (client: Client, filter: string): Promise<Person[]> => {
    const { searchEntries } = await client.search(settings.base, {
      ...{ scope: 'sub', filter, sizeLimit: TWO, attributes: listAttributes(settings) },
    })
    return searchEntries.map((entry) => readPerson(toDirectoryEntry(entry), settings))
  }

  const listPeople = (): Promise<Person[]> =>
    withLdapConnection(
      settings,
      tls,
      { timeoutMs: PAGE_TIMEOUT_MS, lastsMs: LIST_TIMEOUT_MS },
      async (client) => {
        await bindToSearch(client)
        const { searchEntries } = await client.search(settings.base, {
          ...{ scope: 'sub', filter: widenFilter(settings.filter), paged: { pageSize: PAGE_SIZE } },
          attributes: listAttributes(settings),
        })
        return searchEntries.map((entry) => readPerson(toDirectoryEntry(entry), settings))
      },
    )

  const readAvatar = async (
    client: Client,
    dn: string,
    attribute: string,
  ): Promise<Buffer | 'unreadable' | null> => {
    const { searchEntries } = await client.search(dn, {
      ...{ scope: 'base', attributes: [attribute], explicitBufferAttributes: [attribute] },
    })
    const [entry] = searchEntries
    const [value] = (entry && toDirectoryEntry(entry).attributes.get(attribute.toLowerCase())) ?? []
    if (value === undefined || value.length === 0) return null
    // The library finds the name of bytes by its letters, which the directory may write otherwise.
    return Buffer.isBuffer(value) ? value : 'unreadable'
  }

  const avatarOf = (dn: string, attribute: string): Promise<Buffer | 'unreadable' | null> =>
    withLdapConnection(
      settings,
      tls,
      { timeoutMs, lastsMs: timeoutMs, maxBytes: MAX_AVATAR_ANSWER_BYTES },
      async (client) => {
        await bindToSearch(client)
        return readAvatar(client, dn, attribute)
      },
    ).catch((err: unknown) => {
      if (err === TOO_MANY_BYTES) return 'unreadable'
      throw err
    })

  const listGroupMembers = async (client: Client, dn: string): Promise<ReadonlySet<string>> => {
    const attribute = settings.sync?.group_member_attribute ?? ''
    const { searchEntries } = await client.search(dn, { scope: 'base', attributes: [attribute] })
    const [entry] = searchEntries
    if (!entry) throw new Error(`there is no group ${dn}`)
    const { attributes } = toDirectoryEntry(entry)
    // Active Directory sends long lists in parts, under other names.
    if ([...attributes.keys()].some((name) => name.startsWith(`${attribute.toLowerCase()};range=`)))
      throw new Error(`the group ${dn} has too many members`)
    const members = attributes.get(attribute.toLowerCase()) ?? []
    return new Set(members.map((member) => foldDn(String(member))))
  }

  const searchAddress = (client: Client, email: string) => {
    const { attributes } = settings
    const [attribute = '', value = ''] =
      emailDomain === null ? [attributes.email, email] : [attributes.user_name, email.split('@')[0]]
    return search(client, narrowFilter(settings.filter, attribute, value))
  }

  /** Whether no other entry has the person's address, so that it can stand for an account. */
  const isOnlyOne = async (client: Client, { email }: Person): Promise<boolean> =>
    email === null || (await searchAddress(client, email)).length === 1

  const findByName = (name: string): Promise<Person | 'unknown' | 'ambiguous'> =>
    searching(async (client) => {
      const [person, other] = await search(client, fillFilter(settings.filter, name))
      if (!person) return 'unknown'
      return other || !(await isOnlyOne(client, person)) ? 'ambiguous' : person
    })

  /** Whether the password is right. An empty one is never sent: directories accept it as nobody's. */
  const bind = async (client: Client, dn: string, password: string): Promise<boolean> => {
    if (password === '') return false
    try {
      await client.bind(dn, password)
      return true
    } catch (err) {
      if (REFUSALS.has(codeOf(err))) return false
      throw err
    }
  }

  const bindDirectly = (template: string, name: string, password: string): Promise<Authentication> =>
    connected(async (client) => {
      // Without an account that searches, a wrong password and an unknown name are the same.
      if (!(await bind(client, fillDn(template, name), password))) return { kind: 'unknown' }
      const [person, other] = await search(client, fillFilter(settings.filter, name))
      if (!person || other || !(await isOnlyOne(client, person))) return { kind: 'wrong' }
      // The name may be bound as one entry and found in another.
      return (await bind(client, person.dn, password)) ? { kind: 'right', person } : { kind: 'wrong' }
    })

  /** Only errors of the directory are its own. */
  const guarded = <T>(work: () => Promise<T>): Promise<T> =>
    work().catch((err: unknown) => {
      throw new AppError('SERVICE_UNAVAILABLE', {
        message: 'The directory does not answer; try again shortly',
        cause: new Error(`directory ${directoryName}`, { cause: err }),
      })
    })

  return {
    name: directoryName,
    emailDomain,
    canSearch: serviceAccount !== null,
    sync: settings.sync ?? null,
    authenticate: (typed, password, beforeBind) =>
      limit(async () => {
        const name = nameOf(typed, emailDomain)
        const template = settings.direct_bind
        if (template !== undefined) {
          await beforeBind(inOneSpelling(name, emailDomain))
          return guarded(() => bindDirectly(template, name, password))
        }
        const found = await guarded(() => findByName(name))
        if (found === 'unknown') return { kind: 'unknown' }
        if (found === 'ambiguous') return { kind: 'wrong' }
        await beforeBind(found.email ?? inOneSpelling(name, emailDomain))
        const isRight = await guarded(() => connected((client) => bind(client, found.dn, password)))
        return isRight ? { kind: 'right', person: found } : { kind: 'wrong' }
      }),
    listPeople: () => guarded(listPeople),
    readAvatar: avatar === undefined ? null : (dn) => limit(() => guarded(() => avatarOf(dn, avatar))),
    listGroupMembers: (dn) => guarded(() => searching((client) => listGroupMembers(client, dn))),
    findByAddress: (email) => limit(() => guarded(() => searching((client) => searchAddress(client, email)))),
  }
}

/** A user name as attempts are counted: directories take many spellings for one. */
function inOneSpelling(name: string, emailDomain: string | null): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').trim()
  return emailDomain === null ? plain : `${plain}@${emailDomain}`
}

/** An address of the directory's domain stands for the user name in it. */
export function nameOf(typed: string, emailDomain: string | null): string {
  const at = typed.lastIndexOf('@')
  const hasDomain = emailDomain !== null && at > 0 && typed.slice(at + 1).toLowerCase() === emailDomain
  return hasDomain ? typed.slice(0, at) : typed
}

export function toDirectoryEntry({ dn, ...attributes }: Entry): DirectoryEntry {
  const lists = Object.entries(attributes).map(
    ([name, values]) => [name.toLowerCase(), [values].flat()] as const,
  )
  return { dn, attributes: new Map(lists) }
}

/** The result code of the directory's refusal; 0 for any other error. */
export function codeOf(err: unknown): number {
  return typeof err === 'object' && err !== null && 'code' in err && typeof err.code === 'number'
    ? err.code
    : 0
}
