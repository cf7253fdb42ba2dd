// Written by `npm run bench -- --write-docs`.

import type { MeasuredCosts } from './plan.ts'

export const measuredCosts: MeasuredCosts = {
  measuredOn:
    'Machine: 2 cores (AMD EPYC), 24 GB, Linux 6.18.44, Node 24.21.0, PostgreSQL 15.18, Redis 7.0.15, RabbitMQ 3.10.8. Commit d9508565. Others were at work when it began (load 2.2): not for comparing. 2026-11-27.',
  micros: {
    proxiedRequest: {
      proxy: 68,
      server: 20.1,
    },
    send: {
      postgres: 251,
      redis: 5.15,
      rabbitmq: 90.7,
      users: 6.44,
      realm: 3.22,
      messaging: 179,
      events: 49.6,
      gateway: 103,
    },
    page: {
      postgres: 7980,
      redis: 65.2,
      rabbitmq: 21.7,
      users: 196,
      realm: 69.6,
      messaging: 3030,
      events: 122,
      gateway: 578,
    },
    search: {
      postgres: 7320,
      redis: 69.2,
      rabbitmq: 754,
      users: 131,
      realm: 92.3,
      messaging: 4100,
      events: 100,
      gateway: 731,
    },
    ping: {
      postgres: 51.1,
      redis: 27.3,
      users: 98.1,
      realm: 1.16,
      messaging: 2.03,
      events: 1.16,
      gateway: 88.5,
    },
    pingForAll: {
      postgres: 285,
      redis: 43.1,
      users: 220,
      realm: 3.78,
      messaging: 6.05,
      events: 4.54,
      gateway: 171,
    },
    pollDelivery: {
      postgres: 4.6,
      redis: 32.6,
      users: 1,
      messaging: 2.2,
      events: 36,
      gateway: 66,
    },
    streamDelivery: {
      postgres: 1.4,
      redis: 2.4,
      events: 9.8,
      gateway: 11.2,
    },
  },
  perSecond: {
    transactions: 10704,
    sendsToOneChannel: 2099,
    sendsToChannels: 2381,
    pingsForAll: 2024,
  },
  clientBytes: {
    gateway: 16168,
    events: 7335,
  },
}
