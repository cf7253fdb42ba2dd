import {
  type Account,
  addressNameOf,
  type BotOptions,
  botTypes,
  type ChannelOptions,
  findAccount,
  passwordOf,
  roles,
  type UserOptions,
} from './accounts.ts'
import { callApi } from './call-api.ts'

/** Who and what is created once the system runs, in this order. */
export interface Population {
  readonly users: UserOptions[]
  readonly bots: BotOptions[]
  readonly channels: ChannelOptions[]
}

/** Gets the API key of a person. */
export async function signIn(
  baseUrl: string,
  email: string,
  password: string,
  fullName: string,
): Promise<Account> {
  const what = `signing in as ${fullName} <${email}>`
  const answer = await callApi(baseUrl, 'POST', '/fetch_api_key', {
    what,
    parameters: { username: email, password },
  })
  return {
    userId: Number(answer['user_id']),
    fullName,
    email: String(answer['email']),
    apiKey: String(answer['api_key']),
    password,
  }
}

/** Creates a person and signs them in. */
export async function createUser(baseUrl: string, owner: Account, options: UserOptions): Promise<Account> {
  const { email, password } = loginOf(options)
  const what = `the user ${options.fullName} <${email}>`
  const parameters = { email, password, full_name: options.fullName }
  const { user_id: userId } = await callApi(baseUrl, 'POST', '/users', {
    what,
    credentials: owner,
    parameters,
  })
  const { role = 'member' } = options
  if (role !== 'member') {
    const change = {
      what: `the role ${role} of ${what}`,
      credentials: owner,
      parameters: { role: roles[role] },
    }
    await callApi(baseUrl, 'PATCH', `/users/${String(userId)}`, change)
  }
  return signIn(baseUrl, email, password, options.fullName)
}

/** E-mail and password of a user, where they aren't said those that follow from the name. */
export function loginOf({
  fullName,
  email = `${addressNameOf(fullName)}@example.com`,
  password,
}: UserOptions): {
  email: string
  password: string
} {
  return { email, password: password ?? passwordOf(email) }
}

/** Creates a bot; `owner` is the one of the bot. */
export async function createBot(baseUrl: string, owner: Account, options: BotOptions): Promise<Account> {
  const { fullName, shortName = addressNameOf(fullName).replaceAll('.', '-'), type = 'generic' } = options
  const answer = await callApi(baseUrl, 'POST', '/bots', {
    what: `the bot ${fullName}`,
    credentials: owner,
    parameters: {
      full_name: fullName,
      short_name: shortName,
      bot_type: botTypes[type],
      payload_url: options.payloadUrl,
    },
  })
  const bot = (await listBots(baseUrl, owner)).find(({ userId }) => userId === answer['user_id'])
  if (!bot) throw new Error(`the bot ${fullName} was created and isn't there`)
  return bot
}

/** The bots that somebody owns. */
export async function listBots(baseUrl: string, owner: Account): Promise<Account[]> {
  const { bots } = await callApi(baseUrl, 'GET', '/bots', { credentials: owner })
  return (bots as Record<string, unknown>[]).map((bot) => ({
    userId: Number(bot['user_id']),
    fullName: String(bot['full_name']),
    email: String(bot['username']),
    apiKey: String(bot['api_key']),
    password: null,
  }))
}

/** Creates a channel, or subscribes to one that is there. */
export async function createChannel(
  baseUrl: string,
  owner: Account,
  { name, description = '', isPrivate = false, subscribers }: ChannelOptions,
  accounts: readonly Account[],
): Promise<void> {
  const subscribed = subscribers?.map((one) => findAccount(accounts, one)) ?? accounts
  await callApi(baseUrl, 'POST', '/users/me/subscriptions', {
    what: `the channel ${name}`,
    credentials: owner,
    parameters: {
      subscriptions: [{ name, description }],
      invite_only: isPrivate,
      principals: subscribed.map(({ userId }) => userId),
    },
  })
}

/** E-mails of all who are in the organization, in lower case. */
export async function listEmails(baseUrl: string, owner: Account): Promise<Set<string>> {
  const { members } = await callApi(baseUrl, 'GET', '/users', { credentials: owner })
  const emails = (members as Record<string, unknown>[]).flatMap((one) => [
    one['email'],
    one['delivery_email'],
  ])
  return new Set(emails.filter((email) => typeof email === 'string').map((email) => email.toLowerCase()))
}
