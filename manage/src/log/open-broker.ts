import { type Broker, connectBroker, createLog, type Logger, splitUrls } from '@tms/service-kit'
import { readTls, readVariables } from '../kernel/environment.ts'
import { getErrorMessage, UnavailableError } from '../kernel/errors.ts'

/** Connecting takes about a second; a shorter limit would report a busy broker as unavailable. */
const CONNECT_MS = 5_000

/** The installation's RabbitMQ. The caller closes `broker`. */
export interface OpenedBroker {
  readonly broker: Broker
  readonly url: string
  readonly namespace: string
  readonly log: Logger
  /** Resolves once it is connected; throws `UnavailableError` if it can't be reached. */
  connected(): Promise<void>
}

/** Connects to the RabbitMQ of the variables. Declares nothing: a command leaves no trace on a broker of another installation. */
export function openBroker(env: NodeJS.ProcessEnv): OpenedBroker {
  const { RABBITMQ_URL: url, NAMESPACE: namespace } = readVariables(env, ['RABBITMQ_URL', 'NAMESPACE'])
  const log = createLog('manage', 'silent')
  const broker = connectBroker(url, log, async () => {}, readTls(env))
  return { broker, url, namespace, log, connected: () => waitUntilConnected(broker, url) }
}

function waitUntilConnected(broker: ReturnType<typeof connectBroker>, url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const hosts = splitUrls(url).map((each) => new URL(each).host)
    const createUnavailableError = (cause: unknown) => {
      const why = cause === undefined ? '' : `: ${getErrorMessage(cause)}`
      return new UnavailableError(`RabbitMQ cannot be reached at ${hosts.join(', ')}${why}`, { cause })
    }
    const timer = setTimeout(() => {
      broker.check().then(resolve, ({ cause }: Error) => reject(createUnavailableError(cause)))
    }, CONNECT_MS)
    broker.onConnected(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}
