import type { Translation } from './english.ts'

export const french: Translation = {
  greeting: 'Bonjour {name},',
  'greeting.unnamed': 'Bonjour,',
  open: 'Ouvrir {realm}',
  'link.settings': 'Paramètres de notification',
  'link.unsubscribe': 'Se désabonner',

  'missed.subject.direct': 'Messages directs avec {name}',
  'missed.subject.own': 'Messages directs avec vous-même',
  'missed.subject.group': 'Messages de groupe avec {names}',
  'missed.subject.resolved': '[résolu] {conversation}',
  'missed.subject.hidden': 'Nouveaux messages',
  'missed.others': {
    one: '{count} autre personne',
    many: '{count} autres personnes',
    other: '{count} autres personnes',
  },
  'missed.omitted': {
    one: '{count} message précédent non affiché ici.',
    many: '{count} messages précédents non affichés ici.',
    other: '{count} messages précédents non affichés ici.',
  },
  'missed.open': 'Ouvrir la conversation',
  'missed.unanswerable': 'Les réponses à cet e-mail ne parviennent à personne.',
  'missed.answerable': 'Répondez à cet e-mail pour publier une réponse dans la conversation.',
  'missed.reason.direct_message': 'Vous recevez cet e-mail parce qu’on vous a écrit directement.',
  'missed.reason.mentioned': 'Vous recevez cet e-mail parce que vous avez été mentionné.',
  'missed.reason.group': 'Vous recevez cet e-mail parce que @{group} a été mentionné.',
  'missed.reason.topic_wildcard_mentioned_in_followed_topic':
    'Vous recevez cet e-mail parce que tous les participants d’un sujet que vous suivez ont été mentionnés.',
  'missed.reason.stream_wildcard_mentioned_in_followed_topic':
    'Vous recevez cet e-mail parce que tout le monde a été mentionné dans un sujet que vous suivez.',
  'missed.reason.topic_wildcard_mentioned':
    'Vous recevez cet e-mail parce que tous les participants du sujet ont été mentionnés.',
  'missed.reason.stream_wildcard_mentioned':
    'Vous recevez cet e-mail parce que tout le monde dans le canal a été mentionné.',
  'missed.reason.followed_topic_email_notify': 'Vous recevez cet e-mail parce que vous suivez ce sujet.',
  'missed.reason.stream_email_notify':
    'Vous recevez cet e-mail parce que vous avez activé les e-mails pour ce canal.',
  'missed.hidden': 'Vous avez de nouveaux messages dans {realm}.',
  'missed.hidden_by.organization':
    'Cet e-mail ne les affiche pas parce que votre organisation a désactivé cette option.',
  'missed.hidden_by.user':
    'Cet e-mail ne les affiche pas parce que vous avez désactivé cette option dans vos paramètres.',
  'missed.summary.subject': {
    one: 'Messages non lus dans {count} autre conversation',
    many: 'Messages non lus dans {count} autres conversations',
    other: 'Messages non lus dans {count} autres conversations',
  },
  'missed.summary': {
    one: 'Vous avez des messages non lus dans {count} autre conversation.',
    many: 'Vous avez des messages non lus dans {count} autres conversations.',
    other: 'Vous avez des messages non lus dans {count} autres conversations.',
  },
  'missed.last_of_day': 'Vous ne recevrez plus d’e-mails sur les messages manqués pendant un jour au plus.',
  'missed.test': 'Un exploitant de cette installation vérifie que les e-mails vous parviennent.',

  'digest.subject': 'Ce que vous avez manqué dans {realm}',
  'digest.intro': 'voici ce qui s’est passé dans {realm} pendant votre absence.',
  'digest.more': {
    one: '{count} autre message, avec {names}',
    many: '{count} autres messages, avec {names}',
    other: '{count} autres messages, avec {names}',
  },
  'digest.with': 'Avec {names}',
  'digest.channels': 'Nouveaux canaux',
  'digest.more_channels': {
    one: 'Et {count} autre.',
    many: 'Et {count} autres.',
    other: 'Et {count} autres.',
  },
  'digest.reason':
    'Vous recevez cet e-mail parce que vous n’avez pas été actif pendant quelques jours. Il arrive une fois par semaine au plus.',
  'digest.hidden': 'il y a de nouveaux messages dans {realm} depuis votre absence.',
  'reply.refused.subject': 'Votre réponse n’a pas été publiée',
  'reply.refused.intro':
    'votre réponse par e-mail, « {subject} », n’a pas été publiée dans {realm}, pour la raison suivante :',
  'reply.empty': 'L’e-mail ne contient ni texte en dehors de la citation, ni pièce jointe.',
  'reply.omitted': '(Non joint : {names})',
  'reply.tested.subject': 'Les réponses par e-mail fonctionnent',
  'reply.tested':
    'votre réponse à l’e-mail de test est arrivée. Les réponses aux e-mails sur les messages manqués sont publiées.',
  'announcement.reason':
    'Vous recevez cet e-mail parce que vous avez un compte dans {realm}. Il vient des exploitants du service.',

  'login.subject': 'Nouvelle connexion à {realm}',
  'login.intro': 'quelqu’un vient de se connecter à votre compte sur {realm}.',
  'login.time': 'Quand : {time}',
  'login.program': 'Avec : {program}',
  'login.unknown_program': 'un programme inconnu',
  'login.address': 'Depuis : {address}',
  'login.advice':
    'Si c’était vous, il n’y a rien à faire. Sinon, changez immédiatement votre mot de passe, obtenez une nouvelle clé d’API et prévenez les administrateurs de l’organisation.',
  'login.turn_off': 'Vous pouvez désactiver ces e-mails dans vos paramètres.',
  'login_mails_off.subject': 'Plus d’e-mails sur les connexions à {realm}',
  'login_mails_off.intro':
    'les e-mails sur les nouvelles connexions à votre compte sur {realm} ont été désactivés par le lien contenu dans l’un d’eux. Celui-ci est le dernier.',
  'login_mails_off.advice':
    'Si c’était vous, il n’y a rien à faire. Sinon, réactivez-les dans vos paramètres et changez votre mot de passe.',

  'welcome.subject': 'Bienvenue dans {realm}',
  'welcome.intro':
    'Vous avez maintenant un compte dans {realm}. Pour vous connecter, utilisez cette adresse e-mail et votre mot de passe.',

  'deactivation.subject': 'Votre compte dans {realm} a été désactivé',
  'deactivation.intro':
    'Un administrateur de {realm} a désactivé votre compte : vous ne pouvez plus vous y connecter.',
  'deactivation.comment': 'Il vous a laissé ce message :',

  'email_change.subject': 'Confirmez votre nouvelle adresse e-mail pour {realm}',
  'email_change.intro':
    '{name}, vous avez demandé à utiliser cette adresse au lieu de {address} dans {realm}.',
  'email_change.request':
    'Veuillez confirmer qu’elle est à vous. D’ici là, votre adresse actuelle reste utilisée.',
  'email_change.action': 'Confirmer l’adresse',
  'email_change.remark':
    'Le lien fonctionne une seule fois, pendant un jour. Si vous n’avez rien demandé, vous n’avez rien à faire.',
  'email_changed.subject': 'Votre adresse e-mail pour {realm} a changé',
  'email_changed.intro':
    '{name}, l’adresse e-mail de votre compte dans {realm} est désormais {new_address}. {address} n’est plus utilisée.',
  'email_changed.advice':
    'Si ce n’était pas vous, prévenez immédiatement un administrateur de l’organisation.',
  'new_address.subject': 'Votre compte dans {realm} a maintenant cette adresse e-mail',
  'new_address.intro':
    '{name}, le système qui gère les comptes de {realm} a attribué cette adresse à votre compte au lieu de {address}.',
  'new_address.advice': 'Si vous n’y avez pas de compte, prévenez un administrateur de l’organisation.',

  'invitation.subject': '{inviter} vous invite dans {realm}',
  'invitation.intro': '{inviter} aimerait que vous rejoigniez {realm}, où l’équipe échange.',
  'invitation.action': 'Rejoindre',
  'invitation.validity': 'L’invitation est valable jusqu’au {time}.',
  'invitation.unlimited': 'L’invitation n’expire pas.',
  'invitation.ignore': 'Si vous ne savez pas de quoi il s’agit, vous pouvez ignorer cet e-mail.',
  'invitation_reminder.subject': 'Votre invitation dans {realm} expire bientôt',
  'invitation_reminder.intro': '{inviter} vous a invité dans {realm} et vous attend toujours.',
  'invitation_reminder.only': 'Il n’y aura pas d’autre rappel.',

  'confirmation.subject': 'Confirmez votre adresse e-mail pour {realm}',
  'confirmation.intro': 'Quelqu’un, sans doute vous, souhaite rejoindre {realm} avec cette adresse e-mail.',
  'confirmation.action': 'Confirmer et continuer',
  'confirmation.validity': 'Le lien est valable jusqu’au {time}.',
  'confirmation.ignore': 'Si ce n’était pas vous, ignorez cet e-mail : rien ne se passera sans vous.',

  'password_reset.subject': 'Un nouveau mot de passe pour {realm}',
  'password_reset.intro':
    'Quelqu’un, sans doute vous, a demandé un nouveau mot de passe pour cette adresse e-mail dans {realm}.',
  'password_reset.action': 'Choisir un nouveau mot de passe',
  'password_reset.validity': 'Le lien fonctionne une seule fois, jusqu’au {time}.',
  'password_reset.ignore': 'Si ce n’était pas vous, ignorez cet e-mail : rien ne changera sans vous.',
  'password_reset.deactivated.subject': 'Votre compte dans {realm} est désactivé',
  'password_reset.deactivated':
    'Le compte est désactivé : demandez à un administrateur de l’organisation de le réactiver.',
  'password_reset.directory.subject': 'Votre mot de passe pour {realm}',
  'password_reset.directory':
    'Votre mot de passe est celui de l’annuaire de votre organisation, que vous utilisez aussi ailleurs : changez-le là où vous le faites d’habitude.',
  'password_reset.unknown.subject': 'Aucun compte dans {realm}',
  'password_reset.unknown':
    'Aucun compte ne lui correspond. Vous vous êtes peut-être inscrit avec une autre adresse.',
  'password_changed.subject': 'Votre mot de passe pour {realm} a été changé',
  'password_changed.intro': 'Le mot de passe de votre compte dans {realm} vient d’être changé.',
  'password_changed.advice':
    'Si ce n’était pas vous, demandez immédiatement un nouveau mot de passe et prévenez un administrateur de l’organisation.',

  'push.message': 'Nouveau message',
  'push.many': 'Beaucoup de nouveaux messages',
  'push.waiting': {
    one: '{count} nouveau message',
    many: '{count} nouveaux messages',
    other: '{count} nouveaux messages',
  },
  'push.waiting.conversations': {
    one: 'Dans {count} conversation',
    many: 'Dans {count} conversations',
    other: 'Dans {count} conversations',
  },

  'push.test.title': 'Notification de test',
  'push.test': 'Les notifications parviennent à cet appareil.',
  'push.mentioned': '{name} vous a mentionné :',
  'push.mentioned.group': '{name} a mentionné @{group} :',
  'push.mentioned.everyone': '{name} a mentionné tout le monde :',
}
