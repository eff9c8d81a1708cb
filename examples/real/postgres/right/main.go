// Two people spend from one account at the same time, each by one statement that takes what is there.
package main

import (
	"context"
	"database/sql"
	"log"
	"sync"

	_ "github.com/jackc/pgx/v5/stdlib"
)

// spend takes an amount from the account, and tells whether there was enough.
func spend(ctx context.Context, conn *sql.Conn, amount int) (bool, error) {
	// One statement: postgres looks at the balance again if somebody has changed it meanwhile.
	r, err := conn.ExecContext(ctx, "UPDATE account SET balance = balance - $1 WHERE id = 1 AND balance >= $1", amount)
	if err != nil {
		return false, err
	}
	n, err := r.RowsAffected()
	return n == 1, err
}

func main() {
	ctx := context.Background()
	db, err := sql.Open("pgx", "postgres://postgres@127.0.0.1:5432/postgres?sslmode=disable")
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(ctx, "CREATE TABLE account (id int PRIMARY KEY, balance int); INSERT INTO account VALUES (1, 100)"); err != nil {
		log.Fatal(err)
	}
	var conns [2]*sql.Conn // one for each, as long as they are here
	for i := range conns {
		if conns[i], err = db.Conn(ctx); err != nil {
			log.Fatal(err)
		}
		defer conns[i].Close()
	}
	var people sync.WaitGroup
	var spent [2]bool
	for i, conn := range conns {
		people.Go(func() {
			ok, err := spend(ctx, conn, 80)
			if err != nil {
				log.Fatal(err)
			}
			spent[i] = ok
		})
	}
	people.Wait()
	if spent[0] && spent[1] {
		log.Panic("160 were spent of 100")
	}
}
