import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Where Debian's packages put them. */
const MODULE = '/usr/lib/nginx/modules/ngx_nchan_module.so'
const START_MS = 5_000
const BYTES_OF_PAGE = 4_096

export interface Nchan {
  readonly port: number
  /** The master process, whose child serves. */
  readonly pid: number
  /** Resident bytes of the process that serves. */
  residentBytes(): number
  stop(): void
}

/** nginx with nchan, one process, in memory; null if they aren't installed. Rejects if it doesn't start. */
export async function startNchan(): Promise<Nchan | null> {
  const which = spawnSync('sh', ['-c', 'command -v nginx || ls /usr/sbin/nginx'], { encoding: 'utf8' })
  const nginx = which.stdout.trim()
  if (nginx === '' || !existsSync(MODULE)) return null
  const folder = mkdtempSync(join(tmpdir(), 'tms-nchan-'))
  const port = await freePort()
  writeFileSync(join(folder, 'nginx.conf'), configOf(folder, port))
  const child = spawn(nginx, ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' })
  const stop = () => {
    child.kill('SIGTERM')
    rmSync(folder, { recursive: true, force: true })
  }
  const deadline = performance.now() + START_MS
  for (;;) {
    const isUp = await fetch(`http://127.0.0.1:${port}/up`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isUp) break
    if (performance.now() > deadline || child.exitCode !== null) {
      stop()
      throw new Error('nginx did not start')
    }
    await sleep(50)
  }
  const pid = child.pid ?? 0
  return { port, pid, residentBytes: () => residentOf(pid), stop }
}

const configOf = (folder: string, port: number): string => `
load_module ${MODULE};
worker_processes 1;
daemon off;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
worker_rlimit_nofile 20000;
events { worker_connections 20000; }
http {
  access_log off;
  client_body_temp_path ${folder};
  proxy_temp_path ${folder};
  fastcgi_temp_path ${folder};
  uwsgi_temp_path ${folder};
  scgi_temp_path ${folder};
  keepalive_requests 100000;
  server {
    listen 127.0.0.1:${port} backlog=4096;
    location = /up { return 200; }
    location = /publish { nchan_publisher; nchan_channel_id bench; nchan_message_buffer_length 10; }
    location = /poll { nchan_subscriber longpoll; nchan_channel_id bench; nchan_subscriber_first_message newest; }
  }
}
`

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}

/** Of the children of the master. */
function residentOf(pid: number): number {
  const { stdout } = spawnSync('sh', ['-c', `cat /proc/${pid}/task/*/children`], { encoding: 'utf8' })
  const pages = stdout
    .trim()
    .split(/\s+/)
    .map((child) => spawnSync('cat', [`/proc/${child}/statm`], { encoding: 'utf8' }).stdout.split(' ')[1])
  return pages.reduce((sum, resident) => sum + Number(resident ?? 0) * BYTES_OF_PAGE, 0)
}
