-- What POST /api/contact sends to PostgreSQL: tests/features/platform/bench-statements.test.ts compares.
\set n random(1, 1000000000)
begin;
insert into "contactSubmissions" ("name", "email", "phone", "service", "message", "mark", "createdAt") values ('Jane Doe', 'jane-' || :n || '@dealer.example', NULL, NULL, 'Our phones have been down since nine.', 'new', 1790000000000) returning *;
commit;
