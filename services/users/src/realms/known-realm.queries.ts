import type { RealmFacts } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'
import type { KnownRealm, PrismaClient } from '../generated/prisma/client.ts'

/** The known organization of a subdomain. */
export async function findKnownRealmByStringId(
  prisma: PrismaClient,
  stringId: string,
): Promise<RealmFacts | null> {
  return toFacts(await prisma.knownRealm.findFirst({ where: { stringId } }))
}

/** The known organization of an ID. */
export async function findKnownRealmById(prisma: PrismaClient, realmId: number): Promise<RealmFacts | null> {
  return toFacts(await prisma.knownRealm.findUnique({ where: { realmId } }))
}

/** Keeps the facts unless newer ones are kept already; the order in which they arrive doesn't matter. */
export async function saveKnownRealm(db: Queryable, facts: RealmFacts): Promise<void> {
  await db.query(
    `insert into known_realms (
       realm_id, string_id, name, url, is_active, mandatory_topics, waiting_period_threshold,
       create_public_stream_policy, create_private_stream_policy, create_web_public_stream_policy,
       invite_to_stream_policy, wildcard_mention_policy, private_message_policy, version
     )
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
     on conflict (realm_id) do update set
       string_id = excluded.string_id,
       name = excluded.name,
       url = excluded.url,
       is_active = excluded.is_active,
       mandatory_topics = excluded.mandatory_topics,
       waiting_period_threshold = excluded.waiting_period_threshold,
       create_public_stream_policy = excluded.create_public_stream_policy,
       create_private_stream_policy = excluded.create_private_stream_policy,
       create_web_public_stream_policy = excluded.create_web_public_stream_policy,
       invite_to_stream_policy = excluded.invite_to_stream_policy,
       wildcard_mention_policy = excluded.wildcard_mention_policy,
       private_message_policy = excluded.private_message_policy,
       version = excluded.version
     where known_realms.version < excluded.version`,
    [
      facts.realm_id,
      facts.string_id,
      facts.name,
      facts.url,
      facts.is_active,
      facts.mandatory_topics,
      facts.waiting_period_threshold,
      facts.create_public_stream_policy,
      facts.create_private_stream_policy,
      facts.create_web_public_stream_policy,
      facts.invite_to_stream_policy,
      facts.wildcard_mention_policy,
      facts.private_message_policy,
      facts.version,
    ],
  )
}

function toFacts(realm: KnownRealm | null): RealmFacts | null {
  if (!realm) return null
  return {
    realm_id: realm.realmId,
    string_id: realm.stringId,
    name: realm.name,
    url: realm.url,
    is_active: realm.isActive,
    mandatory_topics: realm.mandatoryTopics,
    waiting_period_threshold: realm.waitingPeriodThreshold,
    create_public_stream_policy: realm.createPublicStreamPolicy,
    create_private_stream_policy: realm.createPrivateStreamPolicy,
    create_web_public_stream_policy: realm.createWebPublicStreamPolicy,
    invite_to_stream_policy: realm.inviteToStreamPolicy,
    wildcard_mention_policy: realm.wildcardMentionPolicy,
    private_message_policy: realm.privateMessagePolicy,
    version: realm.version,
  }
}
