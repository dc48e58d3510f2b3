INSERT INTO sources VALUES ('x', x'78');
INSERT INTO accounts (id, name, person, team, nickname, role, created)
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {brains})
SELECT 1000 + i, 'brain' || i, '', '', 'brain ' || i, 'student', 0 FROM n;
INSERT INTO submissions (id, contest, account, version, language, file_name, source, bytes, submitted, state, counts)
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {brains})
SELECT i, 1, 1000 + i, 1, 'c17', 'a.c', 'x', 1, i, 'ranked', 1 FROM n;
INSERT INTO matches (contest, kind, one, two, state, games, played, won, lost, place, created, changed)
SELECT 1, 'ladder', a.id, b.id, 'done', 2, 2, (a.id * 7 + b.id * 13) % 3, 2 - (a.id * 7 + b.id * 13) % 3, 0, 0, 1
FROM submissions a JOIN submissions b ON a.id > b.id
