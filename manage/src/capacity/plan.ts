/** What the benchmark measured; CPU in microseconds an operation, by process. */
export interface MeasuredCosts {
  /** The machine, the commit and the day. */
  readonly measuredOn: string
  readonly micros: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly perSecond: Readonly<Record<string, number>>
  /** Resident bytes of a client that waits for events, by service. */
  readonly clientBytes: Readonly<Record<string, number>>
}

/** What people do. Shares are between 0 and 1. */
export interface Habits {
  readonly people: number
  /** Of all people, those with an open client at the busiest time. */
  readonly onlineShare: number
  readonly clientsPerPerson: number
  /** Of all clients, those that stream events; the others poll. */
  readonly streamShare: number
  readonly messagesPerDay: number
  /** Clients that are open and receive a message. */
  readonly readersPerMessage: number
  /** Other events, such as reactions and typing, for each message; they reach as many clients. */
  readonly eventsPerMessage: number
  /** Pages of messages that a person loads in a day. */
  readonly pagesPerDay: number
  /** Of what happens in a day, the part in the busiest hour. */
  readonly peakHourShare: number
}

/** A usual office day. */
export const usualHabits: Omit<Habits, 'people'> = {
  onlineShare: 0.4,
  clientsPerPerson: 1.3,
  streamShare: 0,
  messagesPerDay: 20,
  readersPerMessage: 30,
  eventsPerMessage: 2,
  pagesPerDay: 60,
  peakHourShare: 0.15,
}

/** How much of a core is planned for; the rest is for peaks within the hour and for the loss of a replica. */
const UTILIZATION = 0.6
/** Without clients. */
const SERVICE_BYTES = 150 * 1024 ** 2
/** A process may have 20,000 open files: a connection for each client, and some for its peers. */
const CLIENTS_OF_GATEWAY = 15_000
/** Of two, one may be replaced or lost. */
const LEAST_REPLICAS = 2
/** An allowance, not measured: rows and indexes of a message, with search. */
const MESSAGE_BYTES = 2_048
/** Of a log entry, and the days for which the log has it. */
const ENTRY_BYTES = 2_048
const LOG_DAYS = 7
/** The cores of a machine beyond which one server isn't planned. */
export const LARGEST_SERVER = 64
/** Masters of Redis Cluster, by the default number of partitions. */
export const PARTITIONS = 16
const GIB = 1024 ** 3

const SERVICES = ['gateway', 'users', 'realm', 'messaging', 'events'] as const
const SERVERS = ['postgres', 'redis', 'rabbitmq'] as const

export interface PlannedService {
  readonly name: string
  readonly busyCores: number
  /** Each is a process that keeps one core busy at most. */
  readonly replicas: number
  readonly memoryGibEach: number
}

export interface PlannedServer {
  readonly name: string
  readonly busyCores: number
  readonly cores: number
  readonly note: string
}

export interface CapacityLimit {
  readonly what: string
  /** Of what one installation can do; above 1 it can't. */
  readonly usedShare: number
  readonly remedy: string
}

export interface CapacityPlan {
  readonly load: {
    readonly clients: number
    readonly sendsPerSecond: number
    readonly deliveriesPerSecond: number
    readonly pagesPerSecond: number
    readonly pingsPerSecond: number
  }
  readonly services: readonly PlannedService[]
  readonly servers: readonly PlannedServer[]
  /** Growth of PostgreSQL in a year, and the log of RabbitMQ, in GiB. */
  readonly messagesGibPerYear: number
  readonly logGib: number
  /** The nearest first. */
  readonly limits: readonly CapacityLimit[]
}

/** What an installation needs at its busiest time, from the costs of single operations. */
export function planCapacity(habits: Habits, costs: MeasuredCosts): CapacityPlan {
  const load = loadOf(habits)
  const rates: Readonly<Record<string, number>> = {
    send: load.sendsPerSecond,
    page: load.pagesPerSecond,
    ping: load.pingsPerSecond,
    pollDelivery: load.deliveriesPerSecond * (1 - habits.streamShare),
    streamDelivery: load.deliveriesPerSecond * habits.streamShare,
  }
  const busyCoresOf = (process: string): number =>
    Object.entries(rates).reduce(
      (sum, [operation, rate]) => sum + (rate * (costs.micros[operation]?.[process] ?? 0)) / 1e6,
      0,
    )
  const services = SERVICES.map((name): PlannedService => {
    const byClients = name === 'gateway' ? Math.ceil(load.clients / CLIENTS_OF_GATEWAY) : 0
    const reading = name === 'events' ? logReadingCores(load, habits, costs) : 0
    const shared =
      busyCoresOf(name) - (name === 'events' ? (load.sendsPerSecond * entryMicros(costs)) / 1e6 : 0)
    // Where reading takes all, no number of replicas is enough, which the limits say.
    const room = Math.max(UTILIZATION - reading, UTILIZATION / 10)
    const replicas = Math.max(LEAST_REPLICAS, Math.ceil(shared / room), byClients)
    const busyCores = shared + replicas * reading
    const bytes = SERVICE_BYTES + (load.clients * (costs.clientBytes[name] ?? 0)) / replicas
    return { name, busyCores, replicas, memoryGibEach: bytes / GIB }
  })
  const servers = SERVERS.map((name): PlannedServer => {
    const busyCores = busyCoresOf(name)
    return {
      name,
      busyCores,
      cores: Math.max(1, Math.ceil(busyCores / UTILIZATION)),
      note: noteOf(name, busyCores),
    }
  })
  const messagesPerDay = habits.people * habits.messagesPerDay
  const entriesPerDay = messagesPerDay * (1 + habits.eventsPerMessage)
  return {
    load,
    services,
    servers,
    messagesGibPerYear: (messagesPerDay * 365 * MESSAGE_BYTES) / GIB,
    logGib: (entriesPerDay * LOG_DAYS * ENTRY_BYTES) / GIB,
    limits: limitsOf(habits, load, costs, busyCoresOf).toSorted((a, b) => b.usedShare - a.usedShare),
  }
}

/** CPU of a replica of events for an entry of the log that it delivers to nobody. */
const entryMicros = ({ micros }: MeasuredCosts): number => micros['send']?.['events'] ?? 0

/** Each replica of events reads the whole log. */
const logReadingCores = (load: CapacityPlan['load'], habits: Habits, costs: MeasuredCosts): number =>
  (load.sendsPerSecond * (1 + habits.eventsPerMessage) * entryMicros(costs)) / 1e6

function loadOf(habits: Habits): CapacityPlan['load'] {
  const clients = Math.ceil(habits.people * habits.onlineShare * habits.clientsPerPerson)
  const perSecond = (perDay: number) => (habits.people * perDay * habits.peakHourShare) / 3_600
  const sendsPerSecond = perSecond(habits.messagesPerDay)
  const readers = Math.min(habits.readersPerMessage, clients)
  return {
    clients,
    sendsPerSecond,
    deliveriesPerSecond: sendsPerSecond * (1 + habits.eventsPerMessage) * readers,
    pagesPerSecond: perSecond(habits.pagesPerDay),
    pingsPerSecond: clients / 60,
  }
}

function noteOf(server: (typeof SERVERS)[number], busyCores: number): string {
  if (server === 'postgres') return 'for all three databases, most of it for that of messaging'
  const masters = Math.ceil(busyCores / UTILIZATION)
  if (server === 'redis')
    return masters > 1 ? `a cluster of ${Math.max(3, masters)} masters, one core each` : 'one server'
  return masters > 1 ? 'three nodes' : 'one server, or three nodes'
}

function limitsOf(
  habits: Habits,
  load: CapacityPlan['load'],
  costs: MeasuredCosts,
  busyCoresOf: (process: string) => number,
): CapacityLimit[] {
  return [
    {
      what: `PostgreSQL of messaging on one machine of ${LARGEST_SERVER} cores`,
      usedShare: busyCoresOf('postgres') / (LARGEST_SERVER * UTILIZATION),
      remedy:
        'databases of users and realm on machines of their own; then installations side by side, each with some of the organizations',
    },
    {
      what: 'one core of each events replica, which reads the whole log',
      usedShare: logReadingCores(load, habits, costs) / UTILIZATION,
      remedy: 'installations side by side, each with some of the organizations',
    },
    {
      what: `Redis Cluster of ${PARTITIONS} masters, one for each partition`,
      usedShare: busyCoresOf('redis') / (PARTITIONS * UTILIZATION),
      remedy: 'more partitions (EVENTS_PARTITIONS) and masters',
    },
    {
      what: 'sends to one channel, if a tenth of all go to it',
      usedShare:
        load.sendsPerSecond / 10 / (costs.perSecond['sendsToOneChannel'] ?? Number.POSITIVE_INFINITY),
      remedy: 'several channels; a channel takes its messages one group after the other',
    },
  ]
}
