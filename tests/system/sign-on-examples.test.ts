import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { endpoints, Role } from '@tms/contracts'
import {
  examplePeople,
  invitePeople,
  pickFreePort,
  prepareExamples,
  type SignOnExamples,
  startExamples,
} from '@tms/local-system'
import { startTestSystem, type TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findForm } from './support/saml-provider.ts'
import { type Arrival, Traveller } from './support/traveller.ts'

const { fetchApiKey, listInvitations, listUsers } = endpoints.users
const NAMES = ['ldap', 'oidc', 'saml'] as const
const isAccount = (url: string) => url.endsWith('/account/')

let folder: string
let examples: SignOnExamples
let product: TestSystem

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tms-examples-'))
  const gatewayPort = await pickFreePort()
  const onStep = () => () => {}
  await prepareExamples(NAMES, { env: process.env, mayInstall: true, onStep })
  examples = await startExamples(NAMES, {
    ...{ env: process.env, dataDir: folder, logDir: join(folder, 'logs'), mayInstall: true, onStep },
    chatUrl: `http://localhost:${gatewayPort}`,
    onUnexpectedExit: ({ title }, how, lines) => {
      throw new Error([`${title} ended (${how})`, ...lines].join('\n'))
    },
    signal: AbortSignal.timeout(120_000),
  })
  const { SIGN_ON } = examples
  product = await startTestSystem({ env: process.env, gatewayPort, serviceEnv: { SIGN_ON } })
  const { account } = product.owner
  if (!account) throw new Error('the owner has no account')
  await invitePeople({ gateway: product.baseUrl, owner: account }, examplePeople)
}, 180_000)
afterAll(async () => {
  await product?.stop()
  await examples?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const portsOf = ({ SIGN_ON }: SignOnExamples) => [
  ...new Set([...SIGN_ON.matchAll(/(?:127\.0\.0\.1|localhost):(\d+)/g)].map(([, port]) => Number(port))),
]

const accepts = (host: string, port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect({ host, port })
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

async function signInAtProvider(traveller: Traveller, name: string, password: string): Promise<Arrival> {
  const form = await traveller.follow(traveller.urlOf('/accounts/login/social/oidc'))
  const sent = await traveller.open(form.url, new URLSearchParams({ name, password }))
  return sent.location === null ? sent : traveller.follow(sent.location, isAccount)
}

async function signInBySaml(traveller: Traveller, name: string, password: string): Promise<Arrival> {
  const page = await traveller.follow(traveller.urlOf('/accounts/login/social/saml/example'))
  const form = findForm(await traveller.open(page.url, new URLSearchParams({ name, password })))
  if (!form) throw new Error('the provider sent no answer')
  const { location } = await traveller.open(form.action, form.fields)
  return traveller.follow(location ?? '', isAccount)
}

describe('the examples of signing in', () => {
  test('say where to sign in, with which names and password', () => {
    const text = examples.describe(product.baseUrl)
    for (const part of [
      `${product.baseUrl}/login/`,
      ...NAMES,
      'ada, grace, alan',
      'check-sign-on',
      examples.password,
    ])
      expect(text).toContain(part)
  })

  test('let people sign in with the password of the directory, by user name and by address', async () => {
    const { password } = examples
    for (const username of ['ada', 'ada@example.com'])
      expect(await product.anonymous.call(fetchApiKey, { username, password })).toMatchObject({
        email: 'ada@example.com',
      })
    await expect(product.anonymous.call(fetchApiKey, { username: 'ada', password: 'wrong' })).rejects.toThrow(
      'Your username or password is incorrect',
    )
  })

  test('let people sign in at the providers, who have the same account by all', async () => {
    await product.anonymous.call(fetchApiKey, { username: 'alan', password: examples.password })
    for (const name of ['grace', 'alan'])
      for (const signIn of [signInAtProvider, signInBySaml]) {
        const arrival = await signIn(new Traveller(product), name, examples.password)
        expect(arrival.location).toMatch(/\/account\/$/)
      }
    const { members } = await product.owner.call(listUsers, {})
    const found = examplePeople.map(({ email }) =>
      members
        .filter(({ delivery_email: own }) => own === email)
        .map(({ full_name, role }) => [full_name, role]),
    )
    expect(found).toEqual([
      [['Ada Lovelace', Role.administrator]],
      [['Grace Hopper', Role.member]],
      [['Alan Turing', Role.guest]],
    ])
  })

  test('ask again after a wrong password at the provider', async () => {
    const arrival = await signInAtProvider(new Traveller(product), 'grace', 'wrong')
    expect(arrival).toMatchObject({ status: 200, location: null })
    expect(arrival.text).toContain('User name or password is wrong.')
  })

  test('invite their people once', async () => {
    const { account } = product.owner
    if (!account) throw new Error('the owner has no account')
    const before = await product.owner.call(listInvitations, {})
    await invitePeople({ gateway: product.baseUrl, owner: account }, examplePeople)
    expect(await product.owner.call(listInvitations, {})).toEqual(before)
  })

  test('are reached from this machine alone', async () => {
    const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
    const outer = addresses.filter(({ internal, family }) => !internal && family === 'IPv4')
    const ports = portsOf(examples)
    expect(await Promise.all(ports.map((port) => accepts('127.0.0.1', port)))).toEqual(ports.map(() => true))
    for (const { address } of outer)
      expect(await Promise.all(ports.map((port) => accepts(address, port)))).toEqual(ports.map(() => false))
  })

  test('end when they are stopped', async () => {
    await examples.stop()
    const ports = portsOf(examples)
    expect(await Promise.all(ports.map((port) => accepts('127.0.0.1', port)))).toEqual(ports.map(() => false))
  })
})
