// Written by `npm run bench -- --write-docs`.

import type { MeasuredCosts } from './plan.ts'

export const measuredCosts: MeasuredCosts = {
  measuredOn:
    'Machine: 2 cores (AMD EPYC), 24 GB, Linux 6.18.44, Node 24.21.0, PostgreSQL 15.18, Redis 7.0.15, RabbitMQ 3.10.8. Commit bf18a552. 2026-11-27.',
  micros: {
    proxiedRequest: {
      proxy: 79.2,
      server: 23.4,
    },
    send: {
      postgres: 402,
      redis: 8.44,
      rabbitmq: 101,
      users: 12.2,
      realm: 4.69,
      messaging: 255,
      events: 59.1,
      gateway: 207,
    },
    page: {
      postgres: 13200,
      redis: 117,
      rabbitmq: 34.8,
      users: 591,
      realm: 122,
      messaging: 5690,
      events: 170,
      gateway: 1060,
    },
    ping: {
      postgres: 192,
      redis: 36.5,
      users: 205,
      realm: 3.09,
      messaging: 51.9,
      events: 4.33,
      gateway: 177,
    },
    pingForAll: {
      postgres: 508,
      redis: 62.2,
      rabbitmq: 2.64,
      users: 350,
      realm: 6.61,
      messaging: 93.9,
      events: 10.6,
      gateway: 390,
    },
    pollDelivery: {
      postgres: 4.6,
      redis: 34.6,
      users: 2,
      messaging: 3,
      events: 41,
      gateway: 72,
    },
    streamDelivery: {
      postgres: 2.4,
      redis: 3,
      messaging: 1.4,
      events: 33.8,
      gateway: 32,
    },
  },
  perSecond: {
    transactions: 12608,
    sendsToOneChannel: 1349,
    sendsToChannels: 1632,
    pingsForAll: 1158,
  },
  clientBytes: {
    gateway: 16015,
    events: 5149,
  },
}
