import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { canInstallPackages, findInPath, installPackages, pickFreePort } from '@tms/local-system'
import { Attribute, Client } from 'ldapts'
import { createTestFolder } from './test-folder.ts'

const SUFFIX = 'dc=example,dc=com'
const ADMIN = `cn=admin,${SUFFIX}`
const ADMIN_PASSWORD = 'password of the directory'
const SCHEMAS = ['core', 'cosine', 'inetorgperson']
const START_TIMEOUT_MS = 20_000
const POLL_MS = 50

/** Files of a certificate and of the authority that signed it. */
export interface DirectoryTls {
  readonly ca: string
  readonly certificate: string
  readonly key: string
}

/** An OpenLDAP server on this machine. */
export interface TestDirectory {
  readonly suffix: string
  /** Of ldap://, with StartTLS, and of ldaps://. */
  readonly port: number
  readonly securePort: number
  /** An account that may read everything but passwords. */
  readonly reader: { readonly dn: string; readonly password: string }
  /** Adds an entry `<attribute>=<value>,<folder>,<suffix>`, and returns its DN. */
  add(rdn: string, attributes: Readonly<Record<string, string | string[] | Buffer>>): Promise<string>
  /** Changes the directory as its administrator. */
  change(work: (client: Client) => Promise<unknown>): Promise<void>
  start(): Promise<void>
  /** Ends it by SIGKILL. */
  kill(): Promise<void>
  stop(): Promise<void>
}

function findSlapd(env: NodeJS.ProcessEnv): string | null {
  return findInPath(['slapd'], { PATH: `${env['PATH'] ?? ''}:/usr/sbin:/usr/local/sbin` })
}

/** Whether an OpenLDAP server is installed, or can be. */
export function canStartDirectory(env: NodeJS.ProcessEnv): boolean {
  return findSlapd(env) !== null || canInstallPackages(env)
}

/** Starts an OpenLDAP server with a folder for people and one for groups. Installs it if need be. */
export async function startTestDirectory(env: NodeJS.ProcessEnv, tls: DirectoryTls): Promise<TestDirectory> {
  if (findSlapd(env) === null) await installPackages(['slapd'], env, ['slapd.service'])
  const program = findSlapd(env)
  if (program === null) throw new Error('slapd is not installed')
  const folder = createTestFolder(env)
  mkdirSync(join(folder, 'data'))
  const configuration = join(folder, 'slapd.conf')
  writeFileSync(configuration, configurationOf(folder, tls))
  const [port, securePort] = [await pickFreePort(), await pickFreePort()]
  const urls = `ldap://127.0.0.1:${port}/ ldaps://127.0.0.1:${securePort}/`
  let server: ChildProcess | null = null

  const start = async () => {
    const output: string[] = []
    const child = spawn(program, ['-f', configuration, '-h', urls, '-d', '0'], { stdio: 'pipe' })
    child.stderr.on('data', (chunk: Buffer) => output.push(String(chunk)))
    server = child
    const latest = Date.now() + START_TIMEOUT_MS
    while (!(await accepts(port))) {
      if (child.exitCode !== null || Date.now() > latest) throw new Error(`slapd: ${output.join('')}`)
      await sleep(POLL_MS)
    }
  }
  const end = async (signal: NodeJS.Signals) => {
    const ending = server
    server = null
    if (!ending || ending.exitCode !== null) return
    const ended = once(ending, 'exit')
    ending.kill(signal)
    await ended
  }
  const change: TestDirectory['change'] = async (work) => {
    const client = new Client({ url: `ldap://127.0.0.1:${port}` })
    try {
      await client.bind(ADMIN, ADMIN_PASSWORD)
      await work(client)
    } finally {
      await client.unbind()
    }
  }
  const add: TestDirectory['add'] = async (rdn, attributes) => {
    const dn = `${rdn},${SUFFIX}`
    const all = Object.entries(attributes).map(
      ([type, value]) => new Attribute({ type, values: Buffer.isBuffer(value) ? [value] : [value].flat() }),
    )
    await change((client) => client.add(dn, all))
    return dn
  }

  await start()
  await change((client) =>
    client.add(SUFFIX, { objectClass: ['dcObject', 'organization'], o: 'Example', dc: 'example' }),
  )
  for (const name of ['people', 'groups'])
    await add(`ou=${name}`, { objectClass: 'organizationalUnit', ou: name })
  const password = 'password of the reader'
  const dn = await add('cn=reader', {
    objectClass: ['simpleSecurityObject', 'organizationalRole'],
    cn: 'reader',
    userPassword: password,
  })
  return {
    ...{ suffix: SUFFIX, port, securePort, reader: { dn, password }, add, change, start },
    kill: () => end('SIGKILL'),
    stop: async () => {
      await end('SIGTERM')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Like many directories in use, it takes a DN without a password for nobody's, and doesn't refuse. */
function configurationOf(folder: string, { ca, certificate, key }: DirectoryTls): string {
  return `
${SCHEMAS.map((name) => `include /etc/ldap/schema/${name}.schema`).join('\n')}
modulepath /usr/lib/ldap
moduleload back_mdb
moduleload memberof
allow bind_anon_dn
TLSCACertificateFile ${ca}
TLSCertificateFile ${certificate}
TLSCertificateKeyFile ${key}
database mdb
maxsize 67108864
suffix "${SUFFIX}"
rootdn "${ADMIN}"
rootpw "${ADMIN_PASSWORD}"
directory ${join(folder, 'data')}
overlay memberof
access to attrs=userPassword by self write by anonymous auth by * none
access to * by users read by * none
`
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
