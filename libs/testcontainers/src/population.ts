import { type Client, createClient } from '@tms/client'
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
import { explainRefusal } from './refusal.ts'

/** What is created once the system runs, in this order. */
export interface Population {
  readonly users: UserOptions[]
  readonly bots: BotOptions[]
  readonly channels: ChannelOptions[]
}

/** Fetches the API key of a person. */
export async function signIn(
  baseUrl: string,
  email: string,
  password: string,
  fullName: string,
): Promise<Account> {
  const answer = await explainRefusal(
    `signing in as ${fullName} <${email}>`,
    createClient({ url: baseUrl }).fetchApiKey({ username: email, password }),
  )
  return { userId: answer.user_id, fullName, email: answer.email, apiKey: answer.api_key, password }
}

/** Creates a person and signs them in. */
export async function createUser(baseUrl: string, owner: Account, options: UserOptions): Promise<Account> {
  const { fullName, role = 'member' } = options
  const { email, password } = loginOf(options)
  const api = clientOf(baseUrl, owner)
  const what = `the user ${fullName} <${email}>`
  const { user_id } = await explainRefusal(what, api.createUser({ email, password, full_name: fullName }))
  if (role !== 'member')
    await explainRefusal(`the role ${role} of ${what}`, api.updateUser({ user_id, role: roles[role] }))
  return signIn(baseUrl, email, password, fullName)
}

/** A user's e-mail and password; missing ones are derived from the name. */
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

/** Creates a bot that belongs to `owner`. */
export async function createBot(baseUrl: string, owner: Account, options: BotOptions): Promise<Account> {
  const { fullName, shortName = addressNameOf(fullName).replaceAll('.', '-'), type = 'generic' } = options
  const request = {
    full_name: fullName,
    short_name: shortName,
    bot_type: botTypes[type],
    payload_url: options.payloadUrl,
  }
  const { user_id } = await explainRefusal(`the bot ${fullName}`, clientOf(baseUrl, owner).createBot(request))
  const bot = (await listBots(baseUrl, owner)).find(({ userId }) => userId === user_id)
  if (!bot) throw new Error(`the bot ${fullName} was created and isn't there`)
  return bot
}

/** The bots that an account owns. */
export async function listBots(baseUrl: string, owner: Account): Promise<Account[]> {
  const { bots } = await clientOf(baseUrl, owner).listBots()
  return bots.map((bot) => ({
    userId: bot.user_id,
    fullName: bot.full_name,
    email: bot.username,
    apiKey: bot.api_key,
    password: null,
  }))
}

/** Creates a channel, or subscribes to an existing one. */
export async function createChannel(
  baseUrl: string,
  owner: Account,
  { name, description = '', isPrivate = false, subscribers }: ChannelOptions,
  accounts: readonly Account[],
): Promise<void> {
  const subscribed = subscribers?.map((one) => findAccount(accounts, one)) ?? accounts
  const request = {
    subscriptions: [{ name, description }],
    invite_only: isPrivate,
    principals: subscribed.map(({ userId }) => userId),
  }
  await explainRefusal(`the channel ${name}`, clientOf(baseUrl, owner).subscribe(request))
}

/** The e-mails of all users of the organization, in lower case. */
export async function listEmails(baseUrl: string, owner: Account): Promise<Set<string>> {
  const { members } = await clientOf(baseUrl, owner).listUsers()
  const emails = members.flatMap((one) => [one.email, one.delivery_email])
  return new Set(emails.filter((email) => email !== null).map((email) => email.toLowerCase()))
}

function clientOf(url: string, { email, apiKey }: Account): Client {
  return createClient({ url, email, apiKey })
}
