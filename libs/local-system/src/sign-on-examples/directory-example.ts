import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { stopLeftover } from '../process/pid-file.ts'
import { writePrivateFile } from '../process/private-file.ts'
import { canInstallPackages, installPackages } from '../servers/debian-packages.ts'
import { findInPath } from '../servers/find-binary.ts'
import { loadInstanceSettings, portOf } from '../servers/instance-settings.ts'
import type { Example, ExampleContext } from './example.ts'
import { startExampleProcess } from './example-process.ts'
import { rolesByPosition } from './people.ts'

const NAME = 'example-directory'
const TITLE = 'OpenLDAP'
const SUFFIX = 'dc=example,dc=com'
const PEOPLE = `ou=people,${SUFFIX}`
const READER = `cn=reader,${SUFFIX}`
const STOP_TIMEOUT_MS = 10_000
const MISSING = `${TITLE} missing, which --with ldap starts: install it (Debian and Ubuntu: apt-get install slapd), or run as root on Debian`

/** A private OpenLDAP with the people in it, made anew at each start. */
export const directoryExample: Example = {
  async prepare({ env, mayInstall, onStep }) {
    if (findProgram('slapd', env) !== null) return
    if (!mayInstall || !canInstallPackages(env)) throw new Error(MISSING)
    const installed = onStep(`installing ${TITLE} from Debian packages`)
    await installPackages(['slapd'], env, ['slapd.service'])
    installed(`installed ${TITLE} from Debian packages`)
  },

  async start(context) {
    const { dataDir, env } = context
    const program = findProgram('slapd', env)
    if (program === null) throw new Error(MISSING)
    // First, because a process that a crashed start left behind still uses the stored port.
    await stopLeftover(join(dataDir, `${NAME}.pid`), 'SIGTERM', STOP_TIMEOUT_MS)
    const settings = await loadInstanceSettings(dataDir, NAME, ['main'])
    const port = portOf(settings, 'main')
    const configuration = writeDirectory(context, settings.password)
    const url = `ldap://127.0.0.1:${port}`
    return {
      process: await startExampleProcess(
        {
          ...{ name: NAME, title: TITLE, command: program, port },
          args: ['-f', configuration, '-h', `${url}/`, '-d', '0'],
        },
        context,
      ),
      signOn: { ldap: { directories: [directorySettings(url, settings.password)] } },
      hint: 'enter user name and password at the log-in page',
    }
  },
}

/** Debian has them where only root's PATH leads. */
const findProgram = (name: string, env: NodeJS.ProcessEnv): string | null =>
  findInPath([name], { PATH: `${env['PATH'] ?? ''}:/usr/sbin:/usr/local/sbin` })

/** Writes its files, and returns the path of its configuration. */
function writeDirectory(context: ExampleContext, readerPassword: string): string {
  const { dataDir, env } = context
  const home = join(dataDir, NAME)
  rmSync(home, { recursive: true, force: true })
  mkdirSync(join(home, 'data'), { recursive: true, mode: 0o700 })
  const [configuration, entries] = [join(home, 'slapd.conf'), join(home, 'people.ldif')]
  writePrivateFile(configuration, configurationOf(join(home, 'data')))
  writePrivateFile(entries, entriesOf(context, readerPassword))
  const importer = findProgram('slapadd', env) ?? 'slapadd'
  const { status, stderr, error } = spawnSync(importer, ['-f', configuration, '-l', entries], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${TITLE} did not take its people: ${error?.message ?? stderr.trim()}`)
  return configuration
}

function configurationOf(dataFolder: string): string {
  return `
${['core', 'cosine', 'inetorgperson'].map((name) => `include /etc/ldap/schema/${name}.schema`).join('\n')}
modulepath /usr/lib/ldap
moduleload back_mdb
database mdb
maxsize 16777216
suffix "${SUFFIX}"
directory "${dataFolder}"
access to attrs=userPassword by anonymous auth by * none
access to * by users read by * none
`
}

function entriesOf({ people, password }: ExampleContext, readerPassword: string): string {
  const entries: Record<string, string | string[]>[] = [
    { dn: SUFFIX, objectClass: ['dcObject', 'organization'], o: 'Example', dc: 'example' },
    { dn: PEOPLE, objectClass: 'organizationalUnit', ou: 'people' },
    {
      dn: READER,
      ...{ objectClass: ['simpleSecurityObject', 'organizationalRole'], cn: 'reader' },
      userPassword: readerPassword,
    },
    ...people.map(({ name, email, firstName, lastName, position }) => ({
      dn: `uid=${name},${PEOPLE}`,
      ...{ objectClass: 'inetOrgPerson', uid: name, mail: email, employeeType: position },
      ...{ givenName: firstName, sn: lastName, cn: `${firstName} ${lastName}`, userPassword: password },
    })),
  ]
  return entries
    .map((entry) =>
      Object.entries(entry)
        .flatMap(([attribute, values]) => [values].flat().map((value) => `${attribute}: ${value}\n`))
        .join(''),
    )
    .join('\n')
}

const directorySettings = (url: string, readerPassword: string) => ({
  name: 'example',
  url,
  // It doesn't leave the machine.
  allow_unencrypted: true,
  service_account: { dn: READER, password: readerPassword },
  base: PEOPLE,
  filter: '(&(objectClass=inetOrgPerson)(|(uid={name})(mail={name})))',
  attributes: { email: 'mail', first_name: 'givenName', last_name: 'sn' },
  roles: { attribute: 'employeeType', values: rolesByPosition },
})
