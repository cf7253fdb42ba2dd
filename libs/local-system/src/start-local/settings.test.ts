import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { exampleNames } from '../sign-on-examples/example-names.ts'
import { parseSettings, startFlags } from './settings.ts'

const helpText = () => readFileSync(new URL('../../../../tools/start.ts', import.meta.url), 'utf8')

describe('settings of npm start', () => {
  test('are all undefined without flags and variables', () => {
    expect(parseSettings([], {})).toEqual({
      port: undefined,
      replicas: {},
      dataDir: undefined,
      isVerbose: false,
      logLevel: 'info',
      mayInstall: true,
      mayUseDocker: true,
      wantsOrganization: true,
      examples: [],
    })
  })

  test('have a number of replicas per service', () => {
    expect(parseSettings(['--replicas', 'events=2,messaging=3'], {}).replicas).toEqual({
      events: 2,
      messaging: 3,
    })
  })

  test.each(['event=2', 'events', 'events=0', 'events=x', ''])('refuses replicas "%s"', (text) => {
    expect(() => parseSettings([`--replicas=${text}`], {})).toThrow(/as in events=2/)
  })

  test('prefer a flag to the environment', () => {
    const settings = parseSettings(['--port', '8000'], { PORT: '9000', LOG_LEVEL: 'debug' })
    expect(settings).toMatchObject({ port: 8000, logLevel: 'debug' })
  })

  test('name ways to sign in, each once', () => {
    const flags = ['--with', 'oidc', '--with', 'ldap, oidc']
    expect(parseSettings(flags, {}).examples).toEqual(['oidc', 'ldap'])
  })

  test.each(['kerberos', '', 'ldap,'])('refuse to start with "%s" and list what is possible', (text) => {
    expect(() => parseSettings([`--with=${text}`], {})).toThrow(/^with .*: any of ldap,oidc/)
  })

  test.each(['SIGN_ON', 'SIGN_ON_FILE'])('refuse to replace %s', (name) => {
    expect(() => parseSettings(['--with', 'ldap'], { [name]: '{}' })).toThrow(`${name} is set`)
  })

  test('the help text lists the ways to sign in', () => {
    expect(helpText()).toContain(`any of ${exampleNames.join(', ')}`)
  })

  test.each(['0', '65536', 'http'])('refuses port %s', (port) => {
    expect(() => parseSettings(['--port', port], {})).toThrow(`port ${port}`)
  })

  test('reject an unknown level and an unknown flag', () => {
    expect(() => parseSettings([], { LOG_LEVEL: 'loud' })).toThrow(/log level loud/)
    expect(() => parseSettings(['--prot', '1'], {})).toThrow(/--prot/)
  })

  test('the help text has exactly these flags', () => {
    const explained = [...helpText().matchAll(/^ {2}--([a-z-]+)/gm)].map((match) => match[1])
    expect(explained.sort()).toEqual(Object.keys(startFlags).sort())
  })
})
