import { type AnyEndpoint, endpoints, Role } from '@tms/contracts'
import type { Answer, ApiClient } from '@tms/test-kit'
import type { Setting } from './check-settings.ts'
import type { Environment, Scenario } from './environment.ts'
import type { ChangeOfSetting, UseOfSetting } from './history.ts'
import { retryUntilSuccess } from './retry-until-success.ts'

const { getMessage, getReadReceipts, listDrafts, renderMessage } = endpoints.messaging
const { listExports, updateLinkifier, updateRealm } = endpoints.realm
const { addAlertWords, deactivateUser, reactivateUser, removeAlertWords } = endpoints.users
const { updateSettings, updateUser } = endpoints.users

export const ALERT_WORD = 'fire'
export const LINKIFIER = { pattern: 'LINK-(?P<id>[0-9]+)', url_template: 'https://links.example/none/{id}' }

const READ_RECEIPTS = 'read receipts'
const SPARE_ACCOUNT = 'the spare account'
const LINK = 'the link'
const nameOf = (userId: number): string => `the name of ${userId}`
const alertOf = (userId: number): string => `the alert of ${userId}`
const administrationBy = (userId: number): string => `administration by ${userId}`
const permission = (isAllowed: boolean): string => (isAllowed ? 'allowed' : 'refused')

interface SettingRequest {
  readonly endpoint: AnyEndpoint
  readonly input: object
  /** The account of the request; default: the actor's own. */
  readonly by?: ApiClient
}

interface ChangeOptions {
  readonly own: ApiClient
  readonly environment: Environment
  /** A unique text. */
  readonly mark: string
  /** Whether it does what the act says, or undoes it. */
  readonly isOn: boolean
}

/** The request of a change, its new value, and the text that identifies its log entry. */
export function changeOf(
  operation: ChangeOfSetting,
  { own, environment, mark, isOn }: ChangeOptions,
): SettingRequest & { readonly sets: Setting; readonly mark?: string } {
  const { participants, spareUser, linkifierId } = environment
  switch (operation.act) {
    case 'rename': {
      const sets = { name: nameOf(own.userId), value: mark }
      return { endpoint: updateSettings, input: { full_name: mark }, sets, mark }
    }
    case 'link': {
      const url_template = `https://links.example/${mark.replace(' ', '-')}/{id}`
      const input = { ...LINKIFIER, filter_id: linkifierId, url_template }
      const sets = { name: LINK, value: url_template.replace('{id}', '7') }
      return { endpoint: updateLinkifier, input, sets, mark: url_template }
    }
    case 'restrict': {
      const sets = { name: READ_RECEIPTS, value: permission(!isOn) }
      return { endpoint: updateRealm, input: { enable_read_receipts: !isOn }, sets }
    }
    case 'expel': {
      const sets = { name: SPARE_ACCOUNT, value: permission(!isOn) }
      return { endpoint: isOn ? deactivateUser : reactivateUser, input: { user_id: spareUser.userId }, sets }
    }
    case 'alert': {
      const by = participants[operation.target] as ApiClient
      const sets = { name: alertOf(by.userId), value: String(isOn) }
      return {
        endpoint: isOn ? addAlertWords : removeAlertWords,
        input: { alert_words: [ALERT_WORD] },
        by,
        sets,
      }
    }
    case 'promote': {
      const user_id = participants[operation.target]?.userId ?? 0
      const role = isOn ? operation.role : Role.member
      const sets = { name: administrationBy(user_id), value: permission(role <= Role.administrator) }
      return { endpoint: updateUser, input: { user_id, role }, sets }
    }
  }
}

/** The request of a use, and the settings that its response shows. */
export function useOf(
  operation: UseOfSetting,
  { participants, spareUser, sharedMessageId }: Scenario,
): SettingRequest & { readonly shows: (answer: Answer) => readonly Setting[] } {
  const shows = (name: string) => (answer: Answer) => [{ name, value: permission(answer.status === 200) }]
  switch (operation.act) {
    case 'render': {
      const content = ['LINK-7', ...participants.map(({ userId }) => `@_**|${userId}**`)].join(' ')
      return {
        endpoint: renderMessage,
        input: { content },
        shows: (answer) => rendered(answer, participants),
      }
    }
    case 'review':
      return {
        endpoint: getReadReceipts,
        input: { message_id: sharedMessageId },
        shows: shows(READ_RECEIPTS),
      }
    case 'enter':
      return { endpoint: listDrafts, input: {}, by: spareUser, shows: shows(SPARE_ACCOUNT) }
    case 'administer': {
      const by = participants[operation.target] as ApiClient
      return { endpoint: listExports, input: {}, by, shows: shows(administrationBy(by.userId)) }
    }
  }
}

/** The target of the link, and the names of all users. */
function rendered({ status, body }: Answer, members: readonly ApiClient[]): Setting[] {
  const find = (pattern: RegExp) =>
    pattern.exec(String(body['rendered']))?.[1] ?? `none in an answer ${status}`
  return [
    { name: LINK, value: find(/href="([^"]*)"/) },
    ...members.map(({ userId }) => {
      return { name: nameOf(userId), value: find(new RegExp(`data-user-id="${userId}"[^>]*>([^<]*)<`)) }
    }),
  ]
}

/** Whether a message with the alert word alerts its recipient. */
export async function shownAlert(recipient: ApiClient, message_id: number): Promise<Setting[]> {
  const { message } = await retryUntilSuccess(() => recipient.call(getMessage, { message_id }))
  const { flags = [] } = message as { flags?: readonly string[] }
  return [{ name: alertOf(recipient.userId), value: String(flags.includes('has_alert_word')) }]
}
