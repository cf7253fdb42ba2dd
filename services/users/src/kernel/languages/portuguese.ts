import type { Translation } from './english.ts'

export const portuguese: Translation = {
  greeting: 'Olá, {name},',
  'greeting.unnamed': 'Olá,',
  open: 'Abrir {realm}',
  'link.settings': 'Configurações de notificações',
  'link.unsubscribe': 'Cancelar o recebimento',

  'missed.subject.direct': 'Mensagens diretas com {name}',
  'missed.subject.own': 'Mensagens diretas com você mesmo',
  'missed.subject.group': 'Mensagens em grupo com {names}',
  'missed.subject.resolved': '[resolvido] {conversation}',
  'missed.subject.hidden': 'Novas mensagens',
  'missed.others': {
    one: 'mais {count} pessoa',
    many: 'mais {count} pessoas',
    other: 'mais {count} pessoas',
  },
  'missed.omitted': {
    one: '{count} mensagem anterior não é mostrada aqui.',
    many: '{count} mensagens anteriores não são mostradas aqui.',
    other: '{count} mensagens anteriores não são mostradas aqui.',
  },
  'missed.open': 'Abrir a conversa',
  'missed.unanswerable': 'Respostas a este e-mail não chegam a ninguém.',
  'missed.answerable': 'Responda a este e-mail para publicar uma resposta na conversa.',
  'missed.reason.direct_message': 'Você recebe este e-mail porque escreveram diretamente para você.',
  'missed.reason.mentioned': 'Você recebe este e-mail porque mencionaram você.',
  'missed.reason.group': 'Você recebe este e-mail porque mencionaram @{group}.',
  'missed.reason.topic_wildcard_mentioned_in_followed_topic':
    'Você recebe este e-mail porque mencionaram todos os participantes de um tópico que você segue.',
  'missed.reason.stream_wildcard_mentioned_in_followed_topic':
    'Você recebe este e-mail porque mencionaram todos em um tópico que você segue.',
  'missed.reason.topic_wildcard_mentioned':
    'Você recebe este e-mail porque mencionaram todos os participantes do tópico.',
  'missed.reason.stream_wildcard_mentioned': 'Você recebe este e-mail porque mencionaram todos no canal.',
  'missed.reason.followed_topic_email_notify': 'Você recebe este e-mail porque segue este tópico.',
  'missed.reason.stream_email_notify': 'Você recebe este e-mail porque ativou os e-mails deste canal.',
  'missed.hidden': 'Você tem novas mensagens em {realm}.',
  'missed.hidden_by.organization': 'Este e-mail não as mostra porque sua organização desativou essa opção.',
  'missed.hidden_by.user':
    'Este e-mail não as mostra porque você desativou essa opção nas suas configurações.',
  'missed.summary.subject': {
    one: 'Mensagens não lidas em mais {count} conversa',
    many: 'Mensagens não lidas em mais {count} conversas',
    other: 'Mensagens não lidas em mais {count} conversas',
  },
  'missed.summary': {
    one: 'Você tem mensagens não lidas em mais {count} conversa.',
    many: 'Você tem mensagens não lidas em mais {count} conversas.',
    other: 'Você tem mensagens não lidas em mais {count} conversas.',
  },
  'missed.last_of_day': 'Você não receberá mais e-mails sobre mensagens perdidas por até um dia.',
  'missed.test': 'Um operador desta instalação está testando se os e-mails chegam a você.',

  'digest.subject': 'O que você perdeu em {realm}',
  'digest.intro': 'isto aconteceu em {realm} durante a sua ausência.',
  'digest.more': {
    one: 'Mais {count} mensagem, com {names}',
    many: 'Mais {count} mensagens, com {names}',
    other: 'Mais {count} mensagens, com {names}',
  },
  'digest.with': 'Com {names}',
  'digest.channels': 'Novos canais',
  'digest.more_channels': { one: 'E mais {count}.', many: 'E mais {count}.', other: 'E mais {count}.' },
  'digest.reason':
    'Você recebe este e-mail porque não esteve ativo por alguns dias. Ele chega no máximo uma vez por semana.',
  'digest.hidden': 'há novas mensagens em {realm} desde a sua ausência.',
  'reply.refused.subject': 'Sua resposta não foi publicada',
  'reply.refused.intro':
    'sua resposta por e-mail, “{subject}”, não foi publicada em {realm} pelo seguinte motivo:',
  'reply.empty': 'O e-mail não contém texto além da citação nem anexos.',
  'reply.omitted': '(Não anexado: {names})',
  'reply.tested.subject': 'As respostas por e-mail funcionam',
  'reply.tested':
    'sua resposta ao e-mail de teste chegou. As respostas aos e-mails sobre mensagens perdidas são publicadas.',
  'announcement.reason':
    'Você recebe este e-mail porque tem uma conta em {realm}. Ele vem dos operadores do serviço.',

  'login.subject': 'Novo acesso a {realm}',
  'login.intro': 'alguém acabou de entrar na sua conta em {realm}.',
  'login.time': 'Quando: {time}',
  'login.program': 'Com: {program}',
  'login.unknown_program': 'um programa desconhecido',
  'login.address': 'De: {address}',
  'login.advice':
    'Se foi você, não há nada a fazer. Caso contrário, mude sua senha e obtenha uma nova chave de API imediatamente, e avise quem administra a organização.',
  'login.turn_off': 'Você pode desativar estes e-mails nas suas configurações.',
  'login_mails_off.subject': 'Não haverá mais e-mails sobre acessos a {realm}',
  'login_mails_off.intro':
    'os e-mails sobre novos acessos à sua conta em {realm} foram desativados pelo link em um deles. Este é o último.',
  'login_mails_off.advice':
    'Se foi você, não há nada a fazer. Caso contrário, ative-os novamente nas suas configurações e mude sua senha.',

  'welcome.subject': 'Boas-vindas a {realm}',
  'welcome.intro':
    'Agora você tem uma conta em {realm}. Para entrar, use este endereço de e-mail e sua senha.',

  'deactivation.subject': 'Sua conta em {realm} foi desativada',
  'deactivation.intro': 'Um administrador de {realm} desativou sua conta, e você não pode mais entrar lá.',
  'deactivation.comment': 'Foi deixada esta mensagem para você:',

  'email_change.subject': 'Confirme seu novo endereço de e-mail para {realm}',
  'email_change.intro': '{name}, você pediu para usar este endereço em vez de {address} em {realm}.',
  'email_change.request': 'Confirme que ele é seu. Até lá, seu endereço atual continua em uso.',
  'email_change.action': 'Confirmar o endereço',
  'email_change.remark':
    'O link funciona uma única vez, por um dia. Se você não pediu isso, não precisa fazer nada.',
  'email_changed.subject': 'Seu endereço de e-mail para {realm} mudou',
  'email_changed.intro':
    '{name}, o endereço de e-mail da sua conta em {realm} agora é {new_address}. {address} não é mais usado.',
  'email_changed.advice': 'Se não foi você, avise imediatamente um administrador da organização.',
  'new_address.subject': 'Sua conta em {realm} agora tem este endereço de e-mail',
  'new_address.intro':
    '{name}, o sistema que gerencia as contas de {realm} deu este endereço à sua conta em vez de {address}.',
  'new_address.advice': 'Se você não tem conta lá, avise um administrador da organização.',

  'invitation.subject': '{inviter} convida você para {realm}',
  'invitation.intro': '{inviter} gostaria que você entrasse em {realm}, onde a equipe conversa.',
  'invitation.action': 'Entrar',
  'invitation.validity': 'O convite é válido até {time}.',
  'invitation.unlimited': 'O convite não expira.',
  'invitation.ignore': 'Se você não sabe do que se trata, pode ignorar este e-mail.',
  'invitation_reminder.subject': 'Seu convite para {realm} está prestes a expirar',
  'invitation_reminder.intro': '{inviter} convidou você para {realm} e ainda espera por você.',
  'invitation_reminder.only': 'Este é o único lembrete.',

  'confirmation.subject': 'Confirme seu endereço de e-mail para {realm}',
  'confirmation.intro': 'Alguém, provavelmente você, quer entrar em {realm} com este endereço de e-mail.',
  'confirmation.action': 'Confirmar e continuar',
  'confirmation.validity': 'O link é válido até {time}.',
  'confirmation.ignore': 'Se não foi você, ignore este e-mail: nada acontece sem você.',

  'password_reset.subject': 'Uma nova senha para {realm}',
  'password_reset.intro':
    'Alguém, provavelmente você, pediu uma nova senha para este endereço de e-mail em {realm}.',
  'password_reset.action': 'Escolher uma nova senha',
  'password_reset.validity': 'O link funciona uma única vez, até {time}.',
  'password_reset.ignore': 'Se não foi você, ignore este e-mail: nada muda sem você.',
  'password_reset.deactivated.subject': 'Sua conta em {realm} está desativada',
  'password_reset.deactivated':
    'A conta está desativada: peça a um administrador da organização que a reative.',
  'password_reset.directory.subject': 'Sua senha para {realm}',
  'password_reset.directory':
    'Sua senha lá é a do diretório da sua organização, que você também usa em outros lugares: mude-a onde costuma fazer isso.',
  'password_reset.unknown.subject': 'Nenhuma conta em {realm}',
  'password_reset.unknown': 'Não há conta com ele. Talvez você tenha se cadastrado com outro endereço.',
  'password_changed.subject': 'Sua senha para {realm} foi mudada',
  'password_changed.intro': 'A senha da sua conta em {realm} acabou de ser mudada.',
  'password_changed.advice':
    'Se não foi você, peça imediatamente uma nova senha e avise um administrador da organização.',

  'push.message': 'Nova mensagem',
  'push.many': 'Muitas mensagens novas',
  'push.waiting': {
    one: '{count} nova mensagem',
    many: '{count} novas mensagens',
    other: '{count} novas mensagens',
  },
  'push.waiting.conversations': {
    one: 'Em {count} conversa',
    many: 'Em {count} conversas',
    other: 'Em {count} conversas',
  },

  'push.test.title': 'Notificação de teste',
  'push.test': 'As notificações chegam a este dispositivo.',
  'push.mentioned': '{name} mencionou você:',
  'push.mentioned.group': '{name} mencionou @{group}:',
  'push.mentioned.everyone': '{name} mencionou todos:',
}
