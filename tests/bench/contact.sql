-- What POST /api/contact sends to PostgreSQL.
\set n random(1, 1000000000)
BEGIN;
INSERT INTO "contactSubmissions" ("name", "email", "message", "phone", "service", "mark", "createdAt") VALUES ('Jane Doe', 'jane-' || :n || '@dealer.example', 'Our phones have been down since nine.', NULL, NULL, 'new', 1790000000000) RETURNING *;
COMMIT;
