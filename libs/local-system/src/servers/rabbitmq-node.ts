import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { writePrivateFile } from '../process/private-file.ts'
import { findInPath } from './find-binary.ts'
import { type InstanceSettings, portOf } from './instance-settings.ts'
import { type PrivateServerSpec, startPrivateServer } from './private-server.ts'
import type { ProvideOptions, ServerNode } from './server.ts'
import { tlsFilesOf } from './tls-files.ts'

const USER = 'tms'
export const RABBITMQ_STOP_TIMEOUT_MS = 60_000

/**
 * Loads all modules of RabbitMQ and Mnesia, and of the applications that they depend on, before RabbitMQ boots. It needs each of
 * them to find feature flags and boot steps, and would load them one by one: together they take half of the CPU. Looks for each
 * in its application's folder first, since looking for 900 modules in 70 folders would take 1.3 s of CPU. Modules that fail here
 * are loaded later.
 *
 * Removes `ERL_AFLAGS` from the environment first. When it boots, and each minute, a node starts another Erlang machine to be sure
 * that epmd runs, and the boot waits for it. That one would inherit the flags and load all these modules too: 1.7 s of CPU in
 * place of 0.3.
 */
const LOAD_MODULES = `
  os:unsetenv("ERL_AFLAGS"),
  Add = fun Add(App, Known) ->
    case Known of
      #{App := _} -> Known;
      #{} ->
        File = code:where_is_file(atom_to_list(App) ++ ".app"),
        {ok, [{application, App, Keys}]} = file:consult(File),
        Found = {filename:dirname(File), proplists:get_value(modules, Keys, [])},
        lists:foldl(Add, Known#{App => Found}, proplists:get_value(applications, Keys, []))
    end
  end,
  Load = fun({Folder, Modules}) -> code:add_patha(Folder), code:ensure_modules_loaded(Modules) end,
  LoadAll = fun(App) -> catch lists:foreach(Load, maps:values(Add(App, #{}))) end,
  lists:foreach(LoadAll, [rabbit, mnesia]).`

/** A single RabbitMQ, or a node of a cluster. */
export type RabbitmqNode = {
  /** Names its data and log. */
  instance: string
  /** With ports `main` and `distribution`. */
  settings: InstanceSettings
  nodeName: string
  /** Password of its user, and the cookie by which nodes of a cluster authenticate each other. */
  secret: string
  epmdPort: number
  sidecar?: PrivateServerSpec['sidecar']
  configuration?: readonly string[]
}

/**
 * RabbitMQ reads the settings' schema of each application that its folder of plugins names, loads these applications, and looks
 * through their modules too: a fifth of its boot. This folder names RabbitMQ alone, whose modules still come from where it is
 * installed. So no plugin can be enabled, and no setting of one is known. Relative to the node's own folder, because it is the
 * first of a list that colons separate.
 */
const PLUGINS = 'plugins'

export function pidFileOf(dataDir: string, instance: string): string {
  return join(dataDir, `${instance}.pid`)
}

/** Starts a private node, whose epmd is its sidecar or runs already, with its data in `<dataDir>/<instance>`. */
export function startRabbitmqNode(
  script: string,
  options: ProvideOptions,
  node: RabbitmqNode,
): Promise<ServerNode> {
  const { dataDir, logDir } = options
  const { instance, settings, secret, sidecar } = node
  const home = join(dataDir, instance)
  mkdirSync(join(home, PLUGINS, 'rabbit'), { recursive: true, mode: 0o700 })
  writeConfiguration(home, node, options)
  return startPrivateServer({
    name: 'rabbitmq',
    url: `${options.requiresTls ? 'amqps' : 'amqp'}://${USER}:${secret}@127.0.0.1:${portOf(settings, 'main')}`,
    logPath: join(logDir, `${instance}.log`),
    process: {
      env: nodeEnvironment(home, node, options),
      cwd: home,
      command: script,
      args: [],
      pidFile: pidFileOf(dataDir, instance),
      stopSignal: 'SIGTERM',
      stopTimeoutMs: RABBITMQ_STOP_TIMEOUT_MS,
    },
    ...(sidecar && { sidecar }),
    onLaunch: options.onLaunch,
    onUnexpectedExit: options.onUnexpectedExit,
    signal: options.signal,
  })
}

/** How to run our own epmd. Throws if there is none in PATH. */
export function epmdProcess(
  { dataDir, env }: ProvideOptions,
  port: number,
): NonNullable<PrivateServerSpec['sidecar']> {
  const command = findInPath(['epmd'], env)
  if (!command) throw new Error('RabbitMQ is installed but its epmd (from Erlang) is not in PATH')
  return {
    command,
    args: ['-port', String(port), '-address', '127.0.0.1'],
    env: withoutErlang(env),
    cwd: dataDir,
    pidFile: join(dataDir, 'epmd.pid'),
    stopSignal: 'SIGTERM',
    stopTimeoutMs: RABBITMQ_STOP_TIMEOUT_MS,
  }
}

function writeConfiguration(
  home: string,
  { settings, secret, configuration = [] }: RabbitmqNode,
  options: ProvideOptions,
): void {
  const address = `127.0.0.1:${portOf(settings, 'main')}`
  const config = [
    ...(options.requiresTls ? tlsConfiguration(address, options) : [`listeners.tcp.default = ${address}`]),
    `default_user = ${USER}`,
    `default_pass = ${secret}`,
    'disk_free_limit.absolute = 50MB',
    'vm_memory_high_watermark.relative = 0.4',
    ...configuration,
    '',
  ]
  writePrivateFile(join(home, 'rabbitmq.conf'), config.join('\n'))
  writePrivateFile(join(home, 'enabled_plugins'), '[].\n')
  writePrivateFile(join(home, '.erlang.cookie'), secret)
}

/** Clients have to present a certificate. */
function tlsConfiguration(address: string, { env }: ProvideOptions): string[] {
  const { ca, certificate, key } = tlsFilesOf(env)
  return [
    'listeners.tcp = none',
    `listeners.ssl.default = ${address}`,
    `ssl_options.cacertfile = ${ca}`,
    `ssl_options.certfile = ${certificate}`,
    `ssl_options.keyfile = ${key}`,
    'ssl_options.verify = verify_peer',
    'ssl_options.fail_if_no_peer_cert = true',
  ]
}

function withoutErlang(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([key]) => !/^(RABBITMQ|ERL)_/.test(key)))
}

/** Everything that would otherwise come from /etc/rabbitmq or /var/lib/rabbitmq points into `home`. */
function nodeEnvironment(
  home: string,
  { settings, instance, nodeName, epmdPort }: RabbitmqNode,
  options: ProvideOptions,
): NodeJS.ProcessEnv {
  return {
    ...withoutErlang(options.env),
    HOME: home,
    ERL_EPMD_PORT: String(epmdPort),
    ERL_EPMD_ADDRESS: '127.0.0.1',
    ERL_CRASH_DUMP: join(options.logDir, `${instance}-crash.dump`),
    RABBITMQ_NODENAME: nodeName,
    RABBITMQ_DIST_PORT: String(portOf(settings, 'distribution')),
    RABBITMQ_CONF_ENV_FILE: join(home, 'rabbitmq-env.conf'),
    RABBITMQ_CONFIG_FILE: join(home, 'rabbitmq.conf'),
    RABBITMQ_CONFIG_FILES: join(home, 'conf.d'),
    RABBITMQ_ADVANCED_CONFIG_FILE: join(home, 'advanced.config'),
    RABBITMQ_PLUGINS_DIR: PLUGINS,
    RABBITMQ_ENABLED_PLUGINS_FILE: join(home, 'enabled_plugins'),
    RABBITMQ_GENERATED_CONFIG_DIR: join(home, 'generated'),
    RABBITMQ_MNESIA_BASE: join(home, 'data'),
    RABBITMQ_LOG_BASE: join(home, 'log'),
    RABBITMQ_PID_FILE: join(home, 'node.pid'),
    RABBITMQ_LOGS: '-',
    // Makes the script replace itself by the Erlang machine, so that signals reach the node and not a shell.
    RABBITMQ_ALLOW_INPUT: 'true',
    // Before all other flags: what is evaluated runs in the order of the flags.
    ERL_AFLAGS: `-eval '${LOAD_MODULES.replace(/\s+/g, ' ')}'`,
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: [
      '-noinput -kernel inet_dist_use_interface {127,0,0,1}',
      // It shares the machine's cores with everything else: idle schedulers must not busy-wait.
      '+sbwt none +sbwtdcpu none +sbwtdio none',
    ].join(' '),
  }
}
