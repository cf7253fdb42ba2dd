import { randomBytes, randomUUID } from 'node:crypto'
import { internal } from '@tms/contracts'
import { Argument, type Command } from 'commander'
import { UsageError } from '../kernel/errors.ts'
import { createServiceCaller } from '../services/service-clients.ts'
import { type Result, registerAction, type Terminal } from '../terminal/command-action.ts'
import { renderDetails } from '../terminal/table.ts'

/** Characters of a key of an installation, as the services want it. */
const KEY_BYTES = 32

interface Options {
  readonly contactEmail?: string
  readonly acceptTerms?: boolean
  readonly newKey?: string
}

const actions = {
  keys: makeKeys,
  register,
  status,
  deactivate,
} as const satisfies Record<string, (terminal: Terminal, options: Options) => Result | Promise<Result>>

export function addPushRelay(program: Command, terminal: Terminal): void {
  const command = program
    .command('push-relay')
    .description(
      'make the credentials of this installation for a push relay service; register there; report and show what it says about each organization; end the registration',
    )
    .addArgument(new Argument('<action>').choices(Object.keys(actions)))
    .option('--contact-email <address>', 'for register: where the service reaches the operator')
    .option('--accept-terms', 'for register: you have read the terms of the service, and agree to them')
    .option('--new-key <key>', 'for register: the key that replaces the configured one there')
  registerAction<Options>(command, terminal, async ([action = ''], options) =>
    actions[action as keyof typeof actions](terminal, options),
  )
}

function makeKeys(): Result {
  const keys = {
    PUSH_RELAY_ORGANIZATION: randomUUID(),
    PUSH_RELAY_KEY: randomBytes(KEY_BYTES).toString('hex'),
  }
  const lines = Object.entries(keys).map(([name, value]) => `${name}=${value}`)
  return { json: { keys }, text: lines.join('\n') }
}

async function register(terminal: Terminal, { contactEmail, acceptTerms, newKey }: Options): Promise<Result> {
  if (contactEmail === undefined) throw new UsageError('register needs --contact-email')
  if (acceptTerms !== true)
    throw new UsageError(
      'register needs --accept-terms: the service has terms, and gets names and addresses of all organizations, and what notifications say',
    )
  if (newKey !== undefined && newKey.length !== 2 * KEY_BYTES)
    throw new UsageError(`--new-key must have ${2 * KEY_BYTES} characters`)
  const body = { contact_email: contactEmail, new_key: newKey ?? null }
  const registered = await callUsers(terminal)(internal.users.registerAtPushRelay, body)
  return {
    json: registered,
    text: renderDetails([
      ['Registered at', registered.url],
      ['As', `${registered.hostname} (${registered.organization})`],
      ...(newKey === undefined ? [] : [['Next', 'set PUSH_RELAY_KEY to the new key'] as [string, string]]),
    ]),
  }
}

async function status(terminal: Terminal): Promise<Result> {
  const call = createServiceCaller(terminal.env, ['users', 'realm'])
  const reported = await call(internal.users.reportToPushRelay, {})
  const { realms } = await call(internal.realm.listRealmProjections, {})
  const names = new Map(realms.map(({ realm_id, url }) => [realm_id, url]))
  return {
    json: reported,
    text: renderDetails([
      ['Service', reported.url],
      ['Known as', reported.organization],
      ...reported.states.map(({ realm_id, can_push, expected_end_timestamp: end }): [string, string] => [
        names.get(realm_id) ?? `organization ${realm_id}`,
        `${can_push ? 'gets notifications' : 'gets no notifications'}${end === null ? '' : ` until ${new Date(end * 1_000).toISOString()}`}`,
      ]),
    ]),
  }
}

async function deactivate(terminal: Terminal): Promise<Result> {
  const ended = await callUsers(terminal)(internal.users.deactivateAtPushRelay, {})
  return {
    json: ended,
    text: renderDetails([
      ['No longer registered at', ended.url],
      ['Next', 'remove MOBILE_PUSH=relay'],
    ]),
  }
}

const callUsers = (terminal: Terminal) => createServiceCaller(terminal.env, ['users'])
