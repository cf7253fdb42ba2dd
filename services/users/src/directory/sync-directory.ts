import {
  AppError,
  badRequest,
  type DirectorySyncReport,
  type internal,
  type RealmProjection,
} from '@tms/contracts'
import { type InternalHandler, runAs } from '@tms/service-kit'
import { type Account, findAccount } from '../kernel/accounts/account.queries.ts'
import { getRealm } from '../kernel/realms/get-realm.ts'
import { methodsOf } from '../kernel/sign-on/methods-of.ts'
import { deactivateByDirectory, reactivateByDirectory } from './change-activity.ts'
import type { Directory } from './directory.ts'
import {
  type ComparedAccount,
  listComparedAccounts,
  saveDirectoryOf,
  setDeactivatedByDirectory,
} from './directory-account.queries.ts'
import type { DirectoryContext } from './directory-context.ts'
import { claimSync, releaseSync, renewSyncClaim } from './directory-sync.queries.ts'
import type { Person } from './person.rules.ts'
import { directoryOf } from './sign-in-by-directory.ts'
import { findSyncFault, planSync, type SyncPlan } from './sync-plan.rules.ts'
import { updateAvatar } from './update-avatar.ts'
import { applyDirectoryChange, findDirectoryChange } from './update-from-directory.ts'
import { type DirectoryGroups, updateGroups } from './update-groups.ts'

/** Between two renewals of the claim, far less than it lasts. */
const RENEW_MS = 60_000
/** After a failed sync. */
const RETRY_MINUTES = 1

interface SyncOptions {
  /** Reports what would change, and changes nothing. */
  readonly isDryRun: boolean
  /** Deactivates however many. */
  readonly isForced: boolean
  readonly requestId: string | null
}

/** An operator's sync. Throws BAD_REQUEST, also if one is running, and SERVICE_UNAVAILABLE. */
export const handleSyncDirectory: InternalHandler<
  typeof internal.users.syncDirectory,
  DirectoryContext
> = async ({ realm_id, is_dry_run: isDryRun, is_forced: isForced }, context, requestId) => {
  const realm = await getRealm(context, realm_id)
  const directory = syncedDirectoryOf(context, realm)
  if (!directory) throw badRequest('The organization has no directory with `sync`')
  const options = { isDryRun, isForced, requestId }
  if (isDryRun) return syncDirectory(context, realm, directory, options)
  const report = await syncOnce(context, realm, directory, { ...options, everyMinutes: 0 })
  if (!report) throw badRequest('The directory is being compared already')
  return report
}

/** The directory of an organization, if it has one that is compared and on. */
export function syncedDirectoryOf(
  context: Pick<DirectoryContext, 'signOn' | 'directories'>,
  realm: RealmProjection,
): Directory | null {
  const directory = methodsOf(context, realm).includes('LDAP') ? directoryOf(context, realm) : null
  return directory?.sync ? directory : null
}

/** Syncs unless another replica does, or the last sync was less than `everyMinutes` ago; then null. */
export async function syncOnce(
  context: DirectoryContext,
  realm: RealmProjection,
  directory: Directory,
  { everyMinutes, ...options }: SyncOptions & { readonly everyMinutes: number },
): Promise<DirectorySyncReport | null> {
  const key = { realmId: realm.realm_id, directory: directory.name }
  if (!(await claimSync(context.db, key, everyMinutes))) return null
  try {
    const report = await runAs('directory', () => syncDirectory(context, realm, directory, options))
    await releaseSync(context.db, key, null)
    return report
  } catch (err) {
    const retry = { everyMinutes: Math.max(everyMinutes, RETRY_MINUTES), retryMinutes: RETRY_MINUTES }
    await releaseSync(context.db, key, retry).catch(() => {})
    throw err
  }
}

/**
 * Brings an organization's accounts in line with its directory. All people are read before anything is changed, so that a
 * directory that is lost meanwhile changes nothing; who isn't among them is looked for once more.
 */
async function syncDirectory(
  context: DirectoryContext,
  realm: RealmProjection,
  directory: Directory,
  { isDryRun, isForced, requestId }: SyncOptions,
): Promise<DirectorySyncReport> {
  const people = await directory.listPeople()
  const groups = await readGroups(directory)
  const accounts = await listComparedAccounts(context.db, realm.realm_id)
  const plan = planSync(accounts, people, directory.name)
  const { deactivate_missing, max_deactivated_percent } = directory.sync ?? NO_SYNC
  const missing = deactivate_missing ? await confirmMissing(directory, plan) : []
  const leaving = [...plan.disabled.map(({ account }) => account), ...missing]
  const fault = findSyncFault(people, plan, leaving.length, max_deactivated_percent)
  if (fault !== null && !isForced) throw badRequest(`${fault}; nothing was changed`)

  const work: Work = {
    ...{ context, realm, directory, isDryRun, requestId },
    ...{ renewedAt: context.now().getTime(), readsAvatars: true },
  }
  const [updated, reactivated] = await updatePresent(work, plan)
  const deactivated: string[] = []
  const kept: string[] = []
  for (const account of leaving) {
    await renewSometimes(work)
    const isDone = isDryRun || (await deactivateByDirectory(context, subjectOf(work, account), requestId))
    ;(isDone ? deactivated : kept).push(account.foldedEmail)
  }
  const { changed, unknown } = await updateGroups(context, realm.realm_id, plan, groups, work)
  return {
    ...{ people: people.length, skipped: plan.skipped, updated, reactivated, deactivated, kept },
    ...{ groups: changed, unknown_groups: unknown },
  }
}

const NO_SYNC = { deactivate_missing: false, max_deactivated_percent: 0 }

async function readGroups(directory: Directory): Promise<DirectoryGroups> {
  const groups = new Map<string, ReadonlySet<string>>()
  for (const [name, dn] of Object.entries(directory.sync?.groups ?? {}))
    groups.set(name, await directory.listGroupMembers(dn))
  return groups
}

interface Work {
  readonly context: DirectoryContext
  readonly realm: RealmProjection
  readonly directory: Directory
  readonly isDryRun: boolean
  readonly requestId: string | null
  /** When the claim was renewed. */
  renewedAt: number
  /** Whether pictures are still read: a directory that fails once may let everybody wait. */
  readsAvatars: boolean
}

/** Those that a search for their own address doesn't find either: a list may be incomplete without an error. */
async function confirmMissing(directory: Directory, { missing }: SyncPlan): Promise<ComparedAccount[]> {
  const confirmed: ComparedAccount[] = []
  for (const account of missing) {
    if ((await directory.findByAddress(account.foldedEmail)).length === 0) confirmed.push(account)
  }
  return confirmed
}

/** The addresses of accounts that changed, and of those that are active again. */
async function updatePresent(work: Work, { present }: SyncPlan): Promise<[string[], string[]]> {
  const [updated, reactivated]: [string[], string[]] = [[], []]
  for (const { account, person } of present) {
    await renewSometimes(work)
    if (!account.isActive && !account.isDeactivated) continue
    if (!account.isActive) reactivated.push(account.foldedEmail)
    if (await updateAccount(work, account, person)) updated.push(account.foldedEmail)
  }
  return [updated, reactivated]
}

/** Whether the account changed, or would. */
async function updateAccount(work: Work, compared: ComparedAccount, person: Person): Promise<boolean> {
  const { context, realm, directory, isDryRun, requestId } = work
  const { db, prisma } = context
  if (!isDryRun) {
    if (!compared.isActive) await reactivateByDirectory(context, subjectOf(work, compared), requestId)
    else if (compared.isDeactivated) await setDeactivatedByDirectory(db, compared.id, false)
    if (compared.directory !== directory.name)
      await saveDirectoryOf(db, { id: compared.id, realmId: realm.realm_id }, directory.name)
  }
  const account = await findAccount(prisma, realm.realm_id, compared.id)
  if (!account) return false
  const change = await findDirectoryChange(context, account, person)
  if (!isDryRun)
    await applyDirectoryChange(context, realm, account.id, change, requestId).catch((err: unknown) => {
      // One account that can't be changed must not keep the others from it.
      if (!(err instanceof AppError) || err.code === 'SERVICE_UNAVAILABLE') throw err
    })
  const hasOtherAvatar = work.readsAvatars && (await takeAvatar(work, account, person))
  return Object.keys(change).length > 0 || hasOtherAvatar
}

/** Nobody stays active because a picture can't be read. */
async function takeAvatar(work: Work, account: Account, person: Person): Promise<boolean> {
  const { context, directory, isDryRun, requestId } = work
  try {
    return await updateAvatar(context, directory, account, person, { isDryRun, requestId })
  } catch (err) {
    work.readsAvatars = false
    context.log.warn({ err, directory: directory.name }, 'pictures could not be taken')
    return false
  }
}

const subjectOf = ({ realm, directory }: Work, { id }: ComparedAccount) => ({
  ...{ realmId: realm.realm_id, accountId: id, directory: directory.name },
})

async function renewSometimes(work: Work): Promise<void> {
  const { context, realm, directory, isDryRun } = work
  const now = context.now().getTime()
  if (isDryRun || now - work.renewedAt < RENEW_MS) return
  await renewSyncClaim(context.db, { realmId: realm.realm_id, directory: directory.name })
  work.renewedAt = now
}
