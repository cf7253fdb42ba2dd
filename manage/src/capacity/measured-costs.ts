// Written by `npm run bench -- --write-docs`.

import type { MeasuredCosts } from './plan.ts'

export const measuredCosts: MeasuredCosts = {
  measuredOn:
    'Machine: 2 cores (AMD EPYC), 24 GB, Linux 6.18.44, Node 24.21.0, PostgreSQL 15.18, Redis 7.0.15, RabbitMQ 3.10.8. Commit 895ea835. Others were at work when it began (load 3.3): not for comparing. 2026-11-29.',
  micros: {
    proxiedRequest: {
      proxy: 38.4,
      server: 12.9,
    },
    send: {
      postgres: 150,
      redis: 3.91,
      rabbitmq: 62.2,
      users: 2.35,
      realm: 1.57,
      messaging: 87.3,
      events: 33.7,
      gateway: 67.3,
    },
    page: {
      postgres: 6070,
      redis: 47.8,
      rabbitmq: 443,
      users: 139,
      realm: 43.5,
      messaging: 2070,
      events: 65.2,
      gateway: 613,
    },
    search: {
      postgres: 4980,
      redis: 38.5,
      rabbitmq: 15.4,
      users: 84.6,
      realm: 61.5,
      messaging: 2510,
      events: 61.5,
      gateway: 715,
    },
    ping: {
      postgres: 29.6,
      redis: 17.5,
      users: 58.4,
      messaging: 1.1,
      gateway: 63,
    },
    pingForAll: {
      postgres: 169,
      redis: 26.8,
      rabbitmq: 1.03,
      users: 144,
      realm: 1.55,
      messaging: 3.09,
      events: 2.58,
      gateway: 122,
    },
    pollDelivery: {
      postgres: 3.2,
      redis: 19.8,
      messaging: 1.8,
      events: 20.8,
      gateway: 66.2,
    },
    streamDelivery: {
      redis: 2.2,
      events: 6.8,
      gateway: 10,
    },
  },
  perSecond: {
    transactions: 20028,
    sendsToOneChannel: 3328,
    sendsToChannels: 3922,
    pingsForAll: 2981,
  },
  clientBytes: {
    gateway: 16213,
    events: 73,
  },
}
