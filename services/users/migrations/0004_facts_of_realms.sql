-- Up Migration

-- Facts of organizations say more than they did; what is missing is asked for anew.
delete from known_realms;

-- Down Migration
