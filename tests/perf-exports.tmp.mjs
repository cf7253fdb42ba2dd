import { startTestDatabases } from '@tms/test-kit'
import { createLog, createPool, inTransaction } from '@tms/service-kit'
import { exportRecords } from '../services/messaging/dist/exports/export-records.js'
import { importRecords } from '../services/messaging/dist/exports/import-records.js'
import { createWriteStream, createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
const log = createLog('test','silent')
const N = Number(process.argv[2])
const [a, b] = [await startTestDatabases(process.env), await startTestDatabases(process.env)]
const src = createPool(a.urls.messaging, 3, log), dst = createPool(b.urls.messaging, 3, log)
const people = (db) => db.query(`insert into known_users (user_id, realm_id, email_key, name_key, version, facts, told_role, told_active) select n, 1, 'e'||n, 'x', 1, '{}', 400, true from generate_series(1,1000) n`)
await people(src); await people(dst)
await src.query(`insert into recipients (id, realm_id, first_message_id, last_message_id) overriding system value select n, 1, n, ${N} from generate_series(1,200) n`)
await src.query(`insert into channels (id, realm_id, recipient_id, name, name_key, description, rendered_description, invite_only, is_web_public, history_public_to_subscribers, stream_post_policy, can_remove_subscribers_group, is_default) overriding system value select n,1,n,'c'||n,'c'||n,'','',false,false,true,1,1,false from generate_series(1,200) n`)
await src.query(`insert into subscriptions (channel_id,user_id,is_active,received,read,color) select c,u,true,'{[1,)}','{[1,100),[200,300)}','#123456' from generate_series(1,200) c, generate_series(1,1000) u where (c+u)%10=0`)
await src.query(`insert into messages (id, realm_id, recipient_id, channel_id, previous_id, sender_id, topic, topic_key, content, rendered_content, has_link, has_image, has_attachment, sent_at, client) select n,1,1+n%200,1+n%200,greatest(n-200,0),1+n%1000,'topic '||n%50,'topic '||n%50, repeat('some words '||n||' ', 12), '<p>'||repeat('some words '||n||' ', 12)||'</p>', false,false,false, now(), 'test' from generate_series(1,${N}) n`)
await src.query(`insert into message_flags (user_id,message_id,is_mentioned) select 1+n%1000, n, true from generate_series(1,${N},5) n`)
await src.query(`insert into reactions (message_id,user_id,emoji_name,emoji_code,reaction_type) select n,1+n%1000,'heart','2764','unicode_emoji' from generate_series(1,${N},7) n`)
await src.query('vacuum analyze')
let peak = 0; const t = setInterval(() => { peak = Math.max(peak, process.memoryUsage().rss) }, 50)
const mb = () => Math.round(process.memoryUsage().rss/1e6)
console.log('before', mb(), 'MB')
let t0 = Date.now(), n = 0
const out = createWriteStream('/tmp/exp-msg/out.ndjson')
await inTransaction(src, async (tx) => { for await (const r of exportRecords(tx, 1, 'full')) { n++; if (!out.write(JSON.stringify(r)+'\n')) await new Promise(r => out.once('drain', r)) } }, 'begin isolation level repeatable read read only')
await new Promise(r => out.end(r))
console.log('export', n, (Date.now()-t0)/1000, 's peak', Math.round(peak/1e6), 'MB')
t0 = Date.now(); let k=0
const tq = await inTransaction(src, async (tx) => { const { recordKinds } = await import('../services/messaging/dist/exports/record-kinds.js'); let s=0; for (const kind of Object.values(recordKinds)) { s += (await tx.query(`select count(*) as c from (${kind.list('full')}) as q`, [1])).rows[0].c } return s })
console.log('count', tq, (Date.now()-t0)/1000, 's')
peak = 0; t0 = Date.now()
async function* lines() { for await (const l of createInterface({ input: createReadStream('/tmp/exp-msg/out.ndjson') })) yield JSON.parse(l) }
await inTransaction(dst, (tx) => importRecords(tx, 1, lines()))
console.log('import', (Date.now()-t0)/1000, 's peak', Math.round(peak/1e6), 'MB')
clearInterval(t)
await src.end(); await dst.end(); await a.stop(); await b.stop()
